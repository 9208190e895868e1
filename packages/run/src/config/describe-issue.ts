import type { z } from '@vf/core';
import { nearest } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { isMissing } from './is-missing.ts';
import { withoutCredentials } from './literal-secret.ts';
import { placeOf, placesInToml } from './locate.ts';
import { placesInJson } from './locate-json.ts';
import { configSchema } from './schema.ts';
import type { Source, Written } from './source.ts';
import { getAt } from './tree.ts';
import type { Tree } from './tree.ts';

export type Locate = (
  source: Source,
  spelt: readonly string[],
) => Pick<Problem, 'file' | 'line' | 'column'>;

/** Finds lines in files; each file is parsed for places once, and only when something is wrong with it. */
export function locator(): Locate {
  const known = new Map<string, ReturnType<typeof placesInToml>>();
  return (source, spelt) => {
    if (source.kind === 'built-in') return {};
    if (source.kind === 'flag') return { file: source.flag };
    const places = known.get(source.file) ?? placesIn(source.file, source.text);
    known.set(source.file, places);
    return { file: source.file, ...placeOf(places, spelt) };
  };
}

function placesIn(file: string, text: string): ReturnType<typeof placesInToml> {
  return file.endsWith('.json') ? placesInJson(text).places : placesInToml(text);
}

/** One thing that the schema refuses: an issue of its own, or one of the keys that it does not know. */
export interface Refusal {
  readonly issue: z.core.$ZodIssue;
  /** Of the value, or of the key that is not known. */
  readonly path: readonly string[];
}

/** Each thing that is wrong on its own. */
export function refusalsOf(issues: readonly z.core.$ZodIssue[]): Refusal[] {
  return issues.flatMap((issue): Refusal[] => {
    const path = issue.path.map(String);
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ issue, path: [...path, key] }))
      : [{ issue, path }];
  });
}

/** A problem of the schema as a person reads it, with its place. */
export function describeRefusal(
  { issue, path }: Refusal,
  tree: Tree,
  values: ReadonlyMap<string, Written>,
  locate: Locate,
): Problem {
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(path.slice(0, -1));
    const close = nearest(path.at(-1) ?? '', known);
    return {
      ...placeFor(path, values, locate),
      path: path.join('.'),
      message: 'unknown key',
      ...(close === null ? { fix: `known: ${known.join(', ')}` } : { nearest: close }),
    };
  }
  const value = getAt(tree, path);
  const shown = value === undefined ? '' : ` = ${withoutCredentials(textOf(value))}`;
  return {
    ...placeFor(path, values, locate),
    path: `${path.join('.')}${shown}`,
    message: messageOf(issue),
    ...withProtocol(issue, value),
  };
}

/** As it was written: JSON has no `nan` and no `inf`. */
function textOf(value: unknown): string {
  if (typeof value !== 'number' || Number.isFinite(value)) return JSON.stringify(value);
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

/** Where a value is written: itself, as an element of the list that it is in, or the first one of a table. */
export function placeFor(
  path: readonly string[],
  values: ReadonlyMap<string, Written>,
  locate: Locate,
): ReturnType<Locate> {
  const key = path.join('\0');
  for (let length = path.length; length > 0; length--) {
    const written = values.get(path.slice(0, length).join('\0'));
    if (written !== undefined)
      return locate(written.source, [...written.spelt, ...path.slice(length)]);
  }
  const first = [...values].find(([candidate]) => candidate.startsWith(`${key}\0`))?.[1];
  return first === undefined ? {} : locate(first.source, first.spelt);
}

/** Addresses are often given as `localhost:8000`. */
function withProtocol(issue: z.core.$ZodIssue, value: unknown): Pick<Problem, 'fix'> {
  if (!isUrlIssue(issue) || typeof value !== 'string') return {};
  if (withoutCredentials(value) !== value) return {};
  const full = `http://${value}`;
  return /^[\w.-]+(:\d+)?(\/|$)/.test(value) && URL.canParse(full) ? { fix: `"${full}"` } : {};
}

function isUrlIssue(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_format' && issue.format === 'url';
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (isMissing(issue)) return 'is missing';
  if (isUrlIssue(issue)) return 'expected a URL that begins with http:// or https://';
  if (issue.code === 'invalid_type')
    return `expected ${expectedNames[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return `expected one of ${issue.values.map(String).join(', ')}`;
  return boundOf(issue) ?? issue.message;
}

/** A bound of a number in our words, unless the schema has its own for it. */
function boundOf(issue: z.core.$ZodIssue): string | null {
  const isOurs = !issue.message.startsWith('Too ');
  if (isOurs || !('origin' in issue) || !['number', 'int'].includes(issue.origin)) return null;
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}`;
  if (issue.code !== 'too_small') return null;
  const { minimum, inclusive } = issue;
  return inclusive === true
    ? `expected a number from ${minimum} on`
    : `expected more than ${minimum}`;
}

const expectedNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  record: 'a table',
};

/** Keys of the schema's table at `path`. */
function knownKeys(path: readonly string[]): string[] {
  let schema: unknown = configSchema;
  for (const key of path) schema = stepInto(schema, key);
  const table = unwrapped(schema);
  return 'shape' in table ? Object.keys(table.shape as object) : [];
}

function stepInto(schema: unknown, key: string): unknown {
  const table = unwrapped(schema);
  if ('shape' in table) return (table.shape as Readonly<Record<string, unknown>>)[key];
  if ('valueType' in table) return table.valueType;
  return 'element' in table ? table.element : undefined;
}

function unwrapped(schema: unknown): object {
  let at = typeof schema === 'object' && schema !== null ? schema : {};
  while ('unwrap' in at && typeof at.unwrap === 'function') at = at.unwrap() as object;
  return at;
}
