import { parseArgs } from 'node:util';
import { VfError, nearest } from '@vf/core/errors';

/** Flags of a command that are not keys of the config. */
export interface CommandFlags {
  readonly booleans: readonly string[];
  readonly values: readonly string[];
  /** Those of `values` that may be given several times; their values are joined by commas. */
  readonly lists?: readonly string[];
  /** What a letter is short for, where it is another flag than elsewhere. */
  readonly shorts?: Readonly<Record<string, string>>;
  /** Flags of other commands that have no meaning here, each with what to do instead. */
  readonly explained?: Readonly<Record<string, string>>;
  /** Does the command take keys of the config as flags? */
  readonly config: boolean;
}

export interface ParsedArgs {
  readonly positionals: readonly string[];
  /** `@` files from left to right. */
  readonly files: readonly string[];
  /** Keys of the config given as flags; `configFlags` reads them. */
  readonly raw: readonly RawFlag[];
  readonly booleans: ReadonlySet<string>;
  /** Given values of the command's own flags. */
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

/** A flag that is not the command's own; `text` is null when no value was given. */
export interface RawFlag {
  /** Without the dashes. */
  readonly name: string;
  readonly text: string | null;
}

/** Reads a command line: positionals, `@` files, the command's own flags, and any config key as a flag. */
export function parseCommandLine(argv: readonly string[], command: CommandFlags): ParsedArgs {
  const { tokens } = parseArgs({
    // Joined first: the `-task:a` behind a --where is no -t.
    args: joinValues(joinValues(argv, command).flatMap(splitShort), command),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const files: string[] = [];
  const booleans = new Set<string>();
  const values = new Map<string, string>();
  const raw: RawFlag[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (token.value === '@') files.push(operandAfter(tokens, i++, '@ names no file'));
      else if (isFile(token.value) && command.config) files.push(token.value.slice(1));
      else positionals.push(token.value);
      continue;
    }
    const name = longName(token.name, command);
    if (command.booleans.includes(name)) {
      booleans.add(name);
      continue;
    }
    const value = token.value ?? (switches.has(name) ? null : valueAfter(tokens, i));
    if (token.value === undefined && value !== null) i++;
    if (command.values.includes(name)) {
      if (value === null)
        throw new VfError('usage/invalid', `--${name} needs a value`, { hint: 'vf --help' });
      const earlier = values.get(name);
      if (earlier !== undefined && command.lists?.includes(name) !== true)
        throw givenTwice(name, earlier, value);
      values.set(name, earlier === undefined ? value : `${earlier},${value}`);
    } else if (command.config && command.explained?.[name] === undefined)
      raw.push({ name, text: value });
    else throw unknownFlag(name, command);
  }
  return { positionals, files, booleans, values, raw };
}

/** Keys of the config that are on or off: the word after one of them is not its value. */
const switches = new Set(['shuffle', 'select.shuffle']);

/** Values that begin with a dash (`--where -err:runtime`, `--x -1`) stay with their flag. */
function joinValues(argv: readonly string[], command: CommandFlags): string[] {
  const joined: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? '';
    const next = argv[i + 1];
    if (arg === '--') return [...joined, ...argv.slice(i)];
    const [, long, short] = /^(?:--([^=]+)|-([a-zA-Z]))$/.exec(arg) ?? [];
    const name = long ?? (short === undefined ? undefined : longName(short, command));
    const isOwn = name !== undefined && command.values.includes(name);
    const isNumber = name !== undefined && /^-\.?\d/.test(next ?? '');
    if (next === undefined || !(isOwn || isNumber)) joined.push(arg);
    else {
      joined.push(`--${name}=${next}`);
      i++;
    }
  }
  return joined;
}

function longName(given: string, { shorts: own }: CommandFlags): string {
  return own?.[given] ?? shorts[given] ?? given;
}

function givenTwice(name: string, earlier: string, later: string): VfError {
  return new VfError('usage/invalid', `--${name} is given twice: ${earlier} and ${later}`, {
    hint: 'leave one of them out',
  });
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

/** `@nightly.toml` names a file; `@acme/vf-taskset-sql#sql` a plugin of a package with a scope. */
function isFile(word: string): boolean {
  return word.startsWith('@') && !/^@[a-z0-9][^/]*\/[^/#]+#[^/#]+$/.test(word);
}

type Tokens = NonNullable<ReturnType<typeof parseArgs>['tokens']>;

function valueAfter(tokens: Tokens, i: number): string | null {
  const next = tokens[i + 1];
  return next !== undefined && next.kind === 'positional' && !isFile(next.value)
    ? next.value
    : null;
}

function operandAfter(tokens: Tokens, i: number, problem: string): string {
  const next = tokens[i + 1];
  if (next !== undefined && next.kind === 'positional') return next.value;
  throw new VfError('usage/invalid', problem, { hint: 'vf eval @ config.toml' });
}

function unknownFlag(name: string, command: CommandFlags): VfError {
  const explained = command.explained?.[name];
  if (explained !== undefined)
    return new VfError('usage/invalid', `--${name} has no meaning here`, { hint: explained });
  const known = [...command.booleans, ...command.values];
  const close = nearest(name, known);
  return new VfError(
    'usage/invalid',
    `unknown flag --${name}${close === null ? '' : `; nearest: --${close}`}`,
    { hint: `known: ${known.map((flag) => `--${flag}`).join(', ')}` },
  );
}
