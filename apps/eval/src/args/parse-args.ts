import { parseArgs } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { VfError, nearest } from '@vf/core/errors';
import type { FlagValue } from '@vf/run';

/** Flags of a command that are not keys of the config. */
export interface CommandFlags {
  readonly booleans: readonly string[];
  readonly values: readonly string[];
  /** Does the command take keys of the config as flags? */
  readonly config: boolean;
}

export interface ParsedArgs {
  readonly positionals: readonly string[];
  /** `@` files from left to right. */
  readonly files: readonly string[];
  readonly flags: readonly FlagValue[];
  readonly booleans: ReadonlySet<string>;
  /** Given values of the command's own flags, the last one wins. */
  readonly values: ReadonlyMap<string, string>;
}

const shorts: Readonly<Record<string, string>> = {
  m: 'model',
  n: 'num-examples',
  r: 'rollouts-per-example',
  c: 'max-concurrent',
  o: 'output-dir',
  t: 'task',
  y: 'yes',
  v: 'verbose',
  q: 'quiet',
  h: 'help',
};

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

/** Reads a command line: positionals, `@` files, the command's own flags, and any config key as a flag. */
export function parseCommandLine(argv: readonly string[], command: CommandFlags): ParsedArgs {
  const { tokens } = parseArgs({
    args: argv.flatMap(splitShort),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const files: string[] = [];
  const booleans = new Set<string>();
  const values = new Map<string, string>();
  const raw: {
    readonly flag: string;
    readonly path: readonly string[];
    readonly text: string | null;
  }[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (token.value === '@') files.push(operandAfter(tokens, i++, '@ names no file'));
      else if (token.value.startsWith('@') && command.config) files.push(token.value.slice(1));
      else positionals.push(token.value);
      continue;
    }
    const name = shorts[token.name] ?? token.name;
    if (command.booleans.includes(name)) {
      booleans.add(name);
      continue;
    }
    const value = token.value ?? valueAfter(tokens, i);
    if (token.value === undefined && value !== null) i++;
    if (command.values.includes(name)) {
      if (value === null)
        throw new VfError('usage/invalid', `--${name} needs a value`, { hint: 'vf --help' });
      values.set(name, value);
    } else if (command.config) raw.push({ flag: `--${name}`, path: pathOf(name), text: value });
    else throw unknownFlag(name, command);
  }
  return { positionals, files, booleans, values, flags: collected(raw) };
}

/** `-n5` and `-n=5` as `-n 5`. */
function splitShort(arg: string): string[] {
  const [, flag, rest] = /^-([a-zA-Z])=?(.+)$/.exec(arg) ?? [];
  return flag === undefined ||
    rest === undefined ||
    shorts[flag] === undefined ||
    arg.startsWith('--')
    ? [arg]
    : [`-${flag}`, rest];
}

type Tokens = NonNullable<ReturnType<typeof parseArgs>['tokens']>;

function valueAfter(tokens: Tokens, i: number): string | null {
  const next = tokens[i + 1];
  return next !== undefined && next.kind === 'positional' && !next.value.startsWith('@')
    ? next.value
    : null;
}

function operandAfter(tokens: Tokens, i: number, problem: string): string {
  const next = tokens[i + 1];
  if (next !== undefined && next.kind === 'positional') return next.value;
  throw new VfError('usage/invalid', problem, { hint: 'vf eval @ config.toml' });
}

function pathOf(name: string): readonly string[] {
  const bare = name.startsWith('no-') ? name.slice(3) : name;
  return (
    aliases[bare] ?? bare.split('.').map((key, i) => (i === 0 ? key.replaceAll('-', '_') : key))
  );
}

/** A flag given several times is a list; `--no-x` is false, `--x` alone true, `none` takes a value away. */
function collected(
  raw: readonly {
    readonly flag: string;
    readonly path: readonly string[];
    readonly text: string | null;
  }[],
): FlagValue[] {
  const byPath = new Map<string, FlagValue>();
  for (const { flag, path, text } of raw) {
    const key = path.join('.');
    const value =
      text === null ? !flag.startsWith('--no-') : text === 'none' ? undefined : tomlValue(text);
    const earlier = byPath.get(key);
    const isList = listPaths.has(key) || earlier !== undefined;
    byPath.set(key, {
      flag,
      path,
      value: isList ? [...listOf(earlier?.value), ...listOf(value)] : value,
      text,
    });
  }
  return [...byPath.values()];
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function tomlValue(text: string): unknown {
  try {
    return parseToml(`value = ${text}`)['value'];
  } catch {
    return text;
  }
}

function unknownFlag(name: string, command: CommandFlags): VfError {
  const known = [...command.booleans, ...command.values];
  const close = nearest(name, known);
  return new VfError(
    'usage/invalid',
    `unknown flag --${name}${close === null ? '' : `; nearest: --${close}`}`,
    { hint: `known: ${known.map((flag) => `--${flag}`).join(', ')}` },
  );
}
