import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { describeRefusal, locator, placeFor, refusalsOf } from './describe-issue.ts';
import type { ConfigInputs } from './config-inputs.ts';
import type { Locate } from './describe-issue.ts';
import { literalSecret } from './literal-secret.ts';
import { mergeLayers } from './merge.ts';
import { withOptionTexts } from './option-texts.ts';
import { readLayers } from './read-layers.ts';
import type { RunConfig } from './run-config.ts';
import { configSchema } from './schema.ts';
import { describeSource } from './source.ts';
import type { Written } from './source.ts';
import { withTexts } from './text-flags.ts';
import { toRunConfig } from './to-run-config.ts';
import { scalars, treeOf } from './tree.ts';
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
  const { values: merged, notes } = mergeLayers(layers);
  const values = await withOptionTexts(
    withTexts(merged, inputs.flags),
    inputs.flags,
    inputs.optionsOf,
  );
  const tree = treeOf(values);
  const parsed = configSchema.safeParse(tree);
  const { problems: secrets, paths: secretPaths, holders } = secretsIn(values, locate);
  const twice = layers.flatMap((layer) => layer.twice);
  const others = layers.flatMap((layer) => layer.problems);
  // What else is wrong with a secret would repeat it.
  const refusals = refusalsOf(parsed.error?.issues ?? []).filter(
    ({ path }) => !secretPaths.has(path.join('\0')),
  );
  const first = [...secrets, ...twice, ...others];
  const count = first.length + refusals.length;
  if (count > 0 || !parsed.success) {
    const described = refusals.slice(0, Math.max(0, mostProblems - first.length)).map((refusal) => {
      const shown = holders.has(refusal.path.join('\0')) ? {} : tree;
      return describeRefusal(refusal, shown, values, locate);
    });
    const problems = [...first, ...described];
    const code =
      secrets.length > 0
        ? 'config/literal_secret'
        : twice.length > 0
          ? 'config/two_spellings'
          : 'config/invalid';
    throw refused(code, problems, count);
  }
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

/** Also those in lists, each with the paths (joined with NUL) of itself and of all that it stands in. */
function secretsIn(values: ReadonlyMap<string, Written>, locate: Locate) {
  const problems: Problem[] = [];
  const paths = new Set<string>();
  const holders = new Set<string>();
  for (const [key, { value, source, spelt }] of values) {
    for (const [inner, scalar] of scalars(value)) {
      const path = [...key.split('\0'), ...inner];
      const problem = literalSecret(path, scalar);
      if (problem === null) continue;
      problems.push({ ...problem, ...locate(source, [...spelt, ...inner]) });
      paths.add(path.join('\0'));
      for (let end = 1; end < path.length; end++) holders.add(path.slice(0, end).join('\0'));
    }
  }
  return { problems, paths, holders };
}

/** Told each with its place; a file that is none of ours has a problem in every line. */
const mostProblems = 100;

/** @param count of all problems; `problems` may be the first of them */
function refused(
  code: 'config/invalid' | 'config/two_spellings' | 'config/literal_secret',
  problems: readonly Problem[],
  count: number,
): VfError {
  const told = problems.slice(0, mostProblems);
  const files = [...new Set(told.flatMap(({ file }) => file ?? []))];
  const where = files.length === 0 ? 'the configuration' : files.join(', ');
  const more = count - told.length;
  return new VfError(code, `${count === 1 ? '1 problem' : `${count} problems`} in ${where}`, {
    problems: more === 0 ? told : [...told, { message: `and ${more} more problems` }],
  });
}
