import { z } from '@vf/core';
import { nearest } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { FlagValue } from './config-inputs.ts';
import { snakeName } from '../names.ts';
import { isMissing } from './is-missing.ts';
import { isTree } from './tree.ts';

export interface ParsedOptions {
  readonly value: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/**
 * A plugin's options checked by its own schema. Keys are written in snake or kebab case and mapped to the schema's
 * names at its declared objects only, never inside records such as `env`.
 * @param who for messages: `harness codex`
 * @param table where they stand in the config: `harness`
 */
export function parseOptions(
  schema: z.ZodType | undefined,
  options: Readonly<Record<string, unknown>>,
  who: string,
  table: string,
): ParsedOptions {
  const checked = schema ?? z.strictObject({});
  const known = objectKeys(checked);
  const mapped = camelKeys(options, checked);
  const unknown = Object.keys(mapped).filter((key) => known !== null && !known.includes(key));
  const parsed = checked.safeParse(mapped);
  const problems = [
    ...unknown.map((key) => unknownOption(key, known ?? [], who, table)),
    ...(parsed.success
      ? []
      : parsed.error.issues
          .filter((issue) => issue.code !== 'unrecognized_keys')
          .map((issue) => asProblem(issue, who, table))),
  ];
  return {
    value: parsed.success ? (parsed.data as Readonly<Record<string, unknown>>) : {},
    problems,
  };
}

function unknownOption(key: string, known: readonly string[], who: string, table: string): Problem {
  const close = nearest(key, known);
  const hint =
    close === null
      ? { fix: known.length === 0 ? 'it takes none' : `known: ${known.map(snakeName).join(', ')}` }
      : { nearest: snakeName(close) };
  return { path: `${table}.${snakeName(key)}`, message: `${who} has no such option`, ...hint };
}

function asProblem(issue: z.core.$ZodIssue, who: string, table: string): Problem {
  const path = issue.path.map((key) => snakeName(String(key))).join('.');
  return {
    path: path === '' ? table : `${table}.${path}`,
    message: `${who}: ${isMissing(issue) ? 'is missing' : issue.message}`,
  };
}

function camelKeys(value: unknown, schema: unknown): Readonly<Record<string, unknown>> {
  const keys = objectKeys(schema) ?? [];
  if (!isTree(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = declaredName(key, keys);
      const inner = shapeOf(schema)?.[name];
      if (isTree(item) && objectKeys(inner) !== null) return [name, camelKeys(item, inner)];
      // One value of a list may be written without brackets, as a flag that is given once.
      return [name, isList(inner) && isScalar(item) ? [item] : item];
    }),
  );
}

function declaredName(key: string, names: readonly string[]): string {
  const camel = key.replaceAll(/[-_]([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());
  return !names.includes(key) && names.includes(camel) ? camel : key;
}

/**
 * What a flag gives an option: its value, or the text as typed where the option holds text and refuses the value.
 * @param path of the option, as spelt
 */
export function optionValue(
  schema: z.ZodType,
  path: readonly string[],
  { value, text, texts }: Pick<FlagValue, 'value' | 'text' | 'texts'>,
): unknown {
  const option = schemaAt(schema, path);
  if (option === null) return value;
  const element = elementOf(option);
  if (texts === undefined || !Array.isArray(value))
    return textOr(element === null || Array.isArray(value) ? option : element, value, text);
  if (element !== null)
    return value.map((one: unknown, i) => textOr(element, one, texts[i] ?? null));
  const typed = value.map((one: unknown, i) => texts[i] ?? one);
  return !option.safeParse(value).success && option.safeParse(typed).success ? typed : value;
}

function textOr(schema: z.ZodType, value: unknown, text: string | null): unknown {
  if (text === null || typeof value === 'string') return value;
  const issues = schema.safeParse(value).error?.issues ?? [];
  const isAsked = issues.some(
    (issue) => issue.code === 'invalid_type' && issue.expected === 'string' && !issue.path.length,
  );
  return isAsked || (issues.length > 0 && schema.safeParse(text).success) ? text : value;
}

/** What an option's value is checked by: down declared objects and records of any keys. */
function schemaAt(schema: unknown, path: readonly string[]): z.ZodType | null {
  const [key, ...rest] = path;
  if (key === undefined) return schema instanceof z.ZodType ? schema : null;
  const shape = shapeOf(schema);
  const at = declared(schema);
  if (shape !== null) return schemaAt(shape[declaredName(key, Object.keys(shape))], rest);
  return at instanceof z.ZodRecord ? schemaAt(at.valueType, rest) : null;
}

/** Declared keys of an object schema, through optional, default and the like; null for any other schema or a loose one. */
function objectKeys(schema: unknown): string[] | null {
  const shape = shapeOf(schema);
  return shape === null ? null : Object.keys(shape);
}

function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

function isList(schema: unknown): boolean {
  return elementOf(schema) !== null;
}

function elementOf(schema: unknown): z.ZodType | null {
  const at = declared(schema);
  return at instanceof z.ZodArray && at.element instanceof z.ZodType ? at.element : null;
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | null {
  const at = declared(schema);
  return at instanceof z.ZodObject ? at.shape : null;
}

/** What is written in a config: inside optional, default and the like, and before a transform. */
function declared(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return declared(schema.in);
  const isAround =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly;
  return isAround ? declared(schema.unwrap()) : schema;
}
