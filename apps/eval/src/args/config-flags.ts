import { parse as parseToml } from 'smol-toml';
import type { FlagValue } from '@vf/run';
import type { RawFlag } from './parse-args.ts';

/** Flags that name a key of the config by another name. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  task: ['select', 'include'],
  taskset: ['taskset', 'id'],
  harness: ['harness', 'id'],
  runtime: ['runtime', 'id'],
  environment: ['environment', 'id'],
  provider: ['client', 'provider'],
  'base-url': ['client', 'base_url'],
  'api-key-var': ['client', 'api_key_var'],
  budget: ['budget', 'cost'],
  'min-reward': ['gate', 'min_reward'],
  'max-unscored': ['gate', 'max_unscored'],
  shuffle: ['select', 'shuffle'],
  seed: ['select', 'seed'],
};

const listPaths = new Set(['select.include', 'select.exclude']);

/** A flag given several times is a list; `--no-x` is false, `--x` alone true, `none` takes a value away. */
export function configFlags(raw: readonly RawFlag[]): FlagValue[] {
  const byPath = new Map<string, FlagValue>();
  for (const { name, text } of raw) {
    const path = pathOf(name);
    const key = path.join('.');
    const value =
      text === null ? !name.startsWith('no-') : text === 'none' ? undefined : valueOf(path, text);
    const earlier = byPath.get(key);
    const isList = listPaths.has(key) || earlier !== undefined;
    const flag = { flag: `--${name}`, path, text };
    byPath.set(
      key,
      isList ? { ...flag, ...joined(earlier, { ...flag, value }) } : { ...flag, value },
    );
  }
  return [...byPath.values()];
}

function pathOf(name: string): readonly string[] {
  const bare = name.startsWith('no-') ? name.slice(3) : name;
  return (
    aliases[bare] ?? bare.split('.').map((key, i) => (i === 0 ? key.replaceAll('-', '_') : key))
  );
}

function joined(earlier: FlagValue | undefined, later: FlagValue) {
  const both = earlier === undefined ? [later] : [earlier, later];
  return {
    value: both.flatMap(({ value }) => listOf(value)),
    texts: both.flatMap(textsOf),
  };
}

/** Elements of a list that was typed as one have the types that were typed. */
function textsOf({ value, text, texts }: FlagValue): readonly (string | null)[] {
  return texts ?? listOf(value).map(() => (Array.isArray(value) ? null : text));
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

/** TOML, else JSON where no option of a plugin can be meant, which may want such a text, else the text. */
function valueOf(path: readonly string[], text: string): unknown {
  try {
    return parseToml(`value = ${text}`)['value'];
  } catch {
    return isOurTable(path) && /^\s*[[{]/.test(text) ? jsonOr(text) : text;
  }
}

const ourTables = new Set(['client', 'sampling', 'limits', 'retries', 'prices', 'providers']);

function isOurTable(path: readonly string[]): boolean {
  return ourTables.has((path[0] === 'roles' ? path[2] : path[0]) ?? '');
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
