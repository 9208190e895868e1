import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { describeIssue, locator, placeFor } from './describe-issue.ts';
import type { ConfigInputs, FlagValue } from './config-inputs.ts';
import type { Locate } from './describe-issue.ts';
import { literalSecret } from './literal-secret.ts';
import { mergeLayers } from './merge.ts';
import { readLayers } from './read-layers.ts';
import type { RunConfig } from './run-config.ts';
import { configSchema } from './schema.ts';
import { describeSource } from './source.ts';
import type { Written } from './source.ts';
import { toRunConfig } from './to-run-config.ts';
import { setAt } from './tree.ts';
import type { Tree } from './tree.ts';

export interface ResolvedConfig {
  readonly config: RunConfig;
  /** The values that were written, canonical snake_case: what `config.toml` of the run says. */
  readonly tree: Tree;
  /** Canonical paths of all written values. */
  readonly paths: readonly string[];
  /** Where a value came from: `nightly.toml:6`, `--model`; null for a built-in. */
  sourceOf(path: string): string | null;
  /** Where a value, or the table that it would stand in, was written; for messages. */
  placeOf(path: string): ReturnType<Locate>;
  readonly notes: readonly string[];
}

/** @throws VfError config/unreadable, config/invalid, config/two_spellings, config/literal_secret; all problems at once */
export async function resolveConfig(inputs: ConfigInputs): Promise<ResolvedConfig> {
  const locate = locator();
  const layers = await readLayers(inputs, locate);
  const { values, notes } = mergeLayers(layers);
  const tree = treeOf(values);
  const parsed = parseWithTexts(tree, values, inputs.flags);
  const secrets = secretsIn(values, locate);
  const twice = layers.flatMap((layer) => layer.twice);
  const problems = [
    ...secrets,
    ...twice,
    ...layers.flatMap((layer) => layer.problems),
    ...(
      parsed.error?.issues.flatMap((issue) => describeIssue(issue, tree, values, locate)) ?? []
    ).filter(
      // What else is wrong with a secret would repeat it.
      (problem) => !secrets.some(({ path }) => problem.path?.startsWith(path ?? '') === true),
    ),
  ];
  if (secrets.length > 0) throw refused('config/literal_secret', problems);
  if (twice.length > 0) throw refused('config/two_spellings', problems);
  if (problems.length > 0 || !parsed.success) throw refused('config/invalid', problems);
  const byPath = new Map([...values].map(([key, written]) => [key.replaceAll('\0', '.'), written]));
  return {
    config: toRunConfig(parsed.data, inputs.cwd),
    tree,
    paths: [...byPath.keys()],
    notes,
    sourceOf: (path) => {
      const written = byPath.get(path);
      if (written === undefined) return null;
      const { line } = locate(written.source, written.spelt);
      return describeSource(written.source, line ?? null);
    },
    placeOf: (path) => {
      const exact = placeFor(path.split('.'), values, locate);
      if (exact.file !== undefined) return exact;
      const around = path.split('.').slice(0, -1);
      const table = around.length === 0 ? {} : placeFor(around, values, locate);
      // A flag beside it is no place of what is missing.
      return table.line === undefined ? {} : table;
    },
  };
}

function secretsIn(values: ReadonlyMap<string, Written>, locate: Locate): Problem[] {
  return [...values].flatMap(([key, { value, source, spelt }]) => {
    const problem = literalSecret(key.split('\0'), value);
    return problem === null ? [] : [{ ...problem, ...locate(source, spelt) }];
  });
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
