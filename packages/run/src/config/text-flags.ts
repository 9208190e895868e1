import type { z } from '@vf/core';
import type { FlagValue } from './config-inputs.ts';
import { keysUnder } from './merge.ts';
import { configSchema } from './schema.ts';
import type { Written } from './source.ts';
import { canonicalPath } from './spellings.ts';
import { getAt, treeOf } from './tree.ts';

type Values = ReadonlyMap<string, Written>;

/** A flag's value is read as TOML or JSON; where the key turns out to hold text, it is what was typed. */
export function withTexts(values: Values, flags: readonly FlagValue[]): Values {
  const given = flags.filter(({ value }) => value !== undefined);
  if (given.length === 0) return values;
  const byKey = new Map(given.map((flag) => [canonicalPath(flag.path).join('\0'), flag]));
  let found = values;
  for (const issue of configSchema.safeParse(treeOf(values)).error?.issues ?? []) {
    const path = issue.path.map(String);
    const own = byKey.get(path.join('\0'));
    const list = byKey.get(path.slice(0, -1).join('\0'));
    if (own !== undefined) found = withText(found, path, own, issue);
    else if (list?.texts !== undefined && wantsText(issue))
      found = withElement(found, path, list.texts);
  }
  return found;
}

/** The values with one in the place of what a flag gave: a table was split into its leaves. */
export function withValue(
  values: Values,
  path: readonly string[],
  value: unknown,
  { flag, path: spelt }: FlagValue,
): Values {
  const key = path.join('\0');
  const found = new Map(values);
  for (const under of keysUnder(found, key)) found.delete(under);
  return found.set(key, { value, source: { kind: 'flag', flag }, spelt });
}

function withText(
  values: Values,
  path: readonly string[],
  flag: FlagValue,
  issue: z.core.$ZodIssue,
): Values {
  const { text, texts, value } = flag;
  // Given several times, it is no text; a list of texts it may be.
  const typed = texts?.map((one, i) => one ?? (value as readonly unknown[])[i]) ?? text;
  if (typed === null) return values;
  const changed = withValue(values, path, typed, flag);
  if (texts === undefined && wantsText(issue)) return changed;
  if (issue.code !== 'invalid_union') return values;
  // Every union of the schema takes text; of a number, only where it is one that is taken.
  const isTable = texts === undefined && typeof getAt(treeOf(values), path) === 'object';
  return isTable || isTaken(changed, path) ? changed : values;
}

function withElement(
  values: Values,
  path: readonly string[],
  texts: readonly (string | null)[],
): Values {
  const index = Number(path.at(-1));
  const text = texts[index] ?? null;
  const key = path.slice(0, -1).join('\0');
  const list = values.get(key);
  if (text === null || !Array.isArray(list?.value)) return values;
  return new Map(values).set(key, { ...list, value: list.value.with(index, text) });
}

function wantsText(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.expected === 'string';
}

function isTaken(values: Values, path: readonly string[]): boolean {
  const key = path.join('\0');
  const { error } = configSchema.safeParse(treeOf(values));
  return !(error?.issues ?? []).some((issue) => issue.path.map(String).join('\0') === key);
}
