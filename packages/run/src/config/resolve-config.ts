import type { z } from 'zod';
import { VfError, nearest } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { baseDirOf, toLayer } from './layers.ts';
import type { Layer } from './layers.ts';
import { literalSecret } from './literal-secret.ts';
import { placeOf, placesInToml } from './locate.ts';
import { mergeLayers } from './merge.ts';
import { readConfigFile } from './read-file.ts';
import type { RunConfig } from './run-config.ts';
import { configSchema } from './schema.ts';
import { describeSource } from './source.ts';
import type { Source, Written } from './source.ts';
import { toRunConfig } from './to-run-config.ts';
import { getAt, setAt } from './tree.ts';
import type { Tree } from './tree.ts';

export interface ConfigInputs {
  readonly cwd: string;
  /** `@` files from left to right. */
  readonly files: readonly string[];
  readonly flags: readonly FlagValue[];
  /** Values that stand below every file: from variables of the environment, none of which changes what is measured. */
  readonly defaults?: readonly FlagValue[];
  /** The user's own file, when there is one. */
  readonly userFile: string | null;
}

export interface FlagValue {
  /** As typed, for messages: `--sampling.temperature`. */
  readonly flag: string;
  readonly path: readonly string[];
  /** undefined takes a lower layer's value away. */
  readonly value: unknown;
  /** The value as typed, for keys that turn out to be text. */
  readonly text: string | null;
}

export interface ResolvedConfig {
  readonly config: RunConfig;
  /** The values that were written, canonical snake_case: what `config.toml` of the run says. */
  readonly tree: Tree;
  /** Canonical paths of all written values. */
  readonly paths: readonly string[];
  /** Where a value came from: `nightly.toml:6`, `--model`; null for a built-in. */
  sourceOf(path: string): string | null;
  readonly notes: readonly string[];
}

/** @throws VfError config/unreadable, config/invalid, config/two_spellings, config/literal_secret; all problems at once */
export async function resolveConfig(inputs: ConfigInputs): Promise<ResolvedConfig> {
  const layers = await readLayers(inputs);
  const { values, notes } = mergeLayers(layers);
  const locate = locator();
  const spelling = layers.flatMap(({ problems }) => problems);
  if (spelling.length > 0) throw refused('config/two_spellings', spelling);
  const secrets = [...values].flatMap(([key, { value, source, spelt }]) => {
    const problem = literalSecret(key.split('\0'), value);
    return problem === null ? [] : [{ ...problem, ...locate(source, spelt) }];
  });
  if (secrets.length > 0) throw refused('config/literal_secret', secrets);

  const tree = treeOf(values);
  const parsed = parseWithTexts(tree, values, inputs.flags);
  if (!parsed.success) {
    throw refused(
      'config/invalid',
      parsed.error.issues.flatMap((issue) => describeIssue(issue, tree, values, locate)),
    );
  }
  return {
    config: toRunConfig(parsed.data, inputs.cwd),
    tree,
    paths: [...values.keys()].map((key) => key.split('\0').join('.')),
    notes,
    sourceOf: (path) => {
      const written = values.get(path.split('.').join('\0'));
      if (written === undefined) return null;
      const { line } = locate(written.source, written.spelt);
      return describeSource(written.source, line ?? null);
    },
  };
}

async function readLayers({
  cwd,
  files,
  flags,
  userFile,
  defaults = [],
}: ConfigInputs): Promise<Layer[]> {
  const user = userFile === null ? [] : [await readLayer(userFile, 'user', cwd)];
  const read = await Promise.all(files.map((file) => readLayer(file, 'file', cwd)));
  const layersOf = (given: readonly FlagValue[]): Layer[] =>
    given.map((flag) => flagLayer(flag, cwd));
  return [...layersOf(defaults), ...user, ...read, ...layersOf(flags)];
}

async function readLayer(file: string, kind: 'user' | 'file', cwd: string): Promise<Layer> {
  const { tree, text } = await readConfigFile(file, file);
  const source: Source = { kind, file, text };
  const layer = toLayer(tree, source, baseDirOf(source, cwd));
  const locate = locator();
  const problems = layer.problems.map((problem) => ({
    ...problem,
    ...locate(source, (problem.path ?? '').split('.')),
  }));
  const misplaced = kind === 'user' ? notForUsers(layer, file) : [];
  return { values: layer.values, problems: [...problems, ...misplaced] };
}

const userTables = new Set(['providers', 'prices', 'output_dir', 'display']);

function notForUsers({ values }: Layer, file: string): Problem[] {
  const tables = new Set([...values.keys()].map((key) => key.split('\0')[0] ?? ''));
  return [...tables]
    .filter((table) => !userTables.has(table))
    .map((table) => ({
      file,
      path: table,
      message: `the user file holds ${[...userTables].join(', ')} only; what is measured belongs into a file of the run`,
    }));
}

function flagLayer({ flag, path, value }: FlagValue, cwd: string): Layer {
  const tree: Tree = {};
  setAt(tree, path, value);
  return toLayer(tree, { kind: 'flag', flag }, cwd);
}

function treeOf(values: ReadonlyMap<string, Written>): Tree {
  const tree: Tree = {};
  for (const [key, { value }] of values) setAt(tree, key.split('\0'), value);
  return tree;
}

/** A flag's value is read as TOML; where the key turns out to hold text, it is what was typed. */
function parseWithTexts(
  tree: Tree,
  values: ReadonlyMap<string, Written>,
  flags: readonly FlagValue[],
) {
  const first = configSchema.safeParse(tree);
  if (first.success) return first;
  for (const issue of first.error.issues) {
    if (issue.code !== 'invalid_type' || issue.expected !== 'string') continue;
    const path = issue.path.map(String);
    const written = values.get(path.join('\0'));
    const flag = written?.source.kind === 'flag' ? written.source.flag : null;
    const typed = flags.findLast((candidate) => candidate.flag === flag)?.text;
    if (typed !== undefined && typed !== null) setAt(tree, path, typed);
  }
  return configSchema.safeParse(tree);
}

type Locate = (
  source: Source,
  spelt: readonly string[],
) => Pick<Problem, 'file' | 'line' | 'column'>;

/** Finds lines in files; each file is parsed for places once, and only when something is wrong with it. */
function locator(): Locate {
  const known = new Map<string, ReturnType<typeof placesInToml>>();
  return (source, spelt) => {
    if (source.kind === 'built-in') return {};
    if (source.kind === 'flag') return { file: source.flag };
    if (source.file.endsWith('.json')) return { file: source.file };
    const places = known.get(source.file) ?? placesInToml(source.text);
    known.set(source.file, places);
    return { file: source.file, ...placeOf(places, spelt) };
  };
}

function describeIssue(
  issue: z.core.$ZodIssue,
  tree: Tree,
  values: ReadonlyMap<string, Written>,
  locate: Locate,
): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(path);
    return issue.keys.map((key) => {
      const close = nearest(key, known);
      return {
        ...placeFor([...path, key], values, locate),
        path: [...path, key].join('.'),
        message: 'unknown key',
        ...(close === null ? { fix: `known: ${known.join(', ')}` } : { nearest: close }),
      };
    });
  }
  const value = getAt(tree, path);
  const shown = value === undefined ? '' : ` = ${JSON.stringify(value)}`;
  return [
    {
      ...placeFor(path, values, locate),
      path: `${path.join('.')}${shown}`,
      message: messageOf(issue),
    },
  ];
}

function placeFor(
  path: readonly string[],
  values: ReadonlyMap<string, Written>,
  locate: Locate,
): Pick<Problem, 'file' | 'line' | 'column'> {
  const key = path.join('\0');
  const written =
    values.get(key) ?? [...values].find(([candidate]) => candidate.startsWith(`${key}\0`))?.[1];
  return written === undefined ? {} : locate(written.source, written.spelt);
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return `expected ${expectedNames[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return `expected one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
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

function refused(
  code: 'config/invalid' | 'config/two_spellings' | 'config/literal_secret',
  problems: readonly Problem[],
): VfError {
  const files = [...new Set(problems.flatMap(({ file }) => file ?? []))];
  const where = files.length === 0 ? 'the configuration' : files.join(', ');
  return new VfError(
    code,
    `${problems.length === 1 ? '1 problem' : `${problems.length} problems`} in ${where}`,
    { problems },
  );
}
