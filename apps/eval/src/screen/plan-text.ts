import { VfError } from '@vf/core/errors';
import type { ResolvedConfig, RunPlan } from '@vf/run';
import { snake } from '@vf/run/names';
import { formatCount, formatCounted } from './format.ts';
import { asName } from './one-line.ts';
import { alignRows } from './table.ts';

interface SourcedValue {
  readonly path: string;
  readonly value: unknown;
  readonly source: string;
}

/** The resolved plan: each value with its source, the plugins, what was decided. */
export function planText(plan: RunPlan, resolved: ResolvedConfig): string {
  const { tasks, plugins, providers, config, notes } = plan;
  const rollouts = tasks.length * config.rolloutsPerExample;
  const values = sourcedValues(plan, resolved);
  const sections = [
    [
      `${formatCounted(tasks.length, 'task')} × ${config.rolloutsPerExample} = ${formatCounted(rollouts, 'rollout')}, ${formatCount(config.maxConcurrent)} at once; nothing was started`,
    ],
    alignRows(
      values.map(({ path, value, source }) => [`  ${path}`, JSON.stringify(value), `(${source})`]),
    ),
    alignRows([
      ...plugins.map(({ kind, id, package: name, version }) => [
        `  ${kind}`,
        id,
        name === null ? 'a path' : `${name}@${version}`,
      ]),
      ...Object.entries(providers).map(([role, { id, baseUrl }]) => [
        '  provider',
        id,
        `${baseUrl} for ${role}`,
      ]),
      ...Object.values(plan.episode.roles).map(({ name, model, dialect }) => [
        '  role',
        name,
        `model ${model} over ${dialect}`,
      ]),
      ...judgesOf(plan).map(({ kind, name, model, dialect, base_url }) => [
        `  ${kind}`,
        name,
        `model ${model} over ${dialect} at ${base_url}`,
      ]),
    ]),
    [...resolved.notes, ...notes].map((note) => `  ${asName(note)}`),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** The same as a document. */
export function planDocument(plan: RunPlan, resolved: ResolvedConfig): object {
  return {
    v: 1,
    values: sourcedValues(plan, resolved),
    plugins: plan.plugins,
    providers: Object.entries(plan.providers).map(([role, provider]) => ({
      role,
      ...snake(provider),
    })),
    judges: judgesOf(plan),
    tasks: plan.tasks.map(({ key, hash }) => ({ key, hash })),
    rollouts: plan.tasks.length * plan.config.rolloutsPerExample,
    notes: [...resolved.notes, ...plan.notes],
  };
}

/** Judges and simulated users, as far as they can be asked. */
function judgesOf({ sideModels }: RunPlan) {
  return sideModels.flatMap(({ declared: { kind, name }, model, connection }) => {
    if (VfError.isInstance(connection)) return [];
    const { provider, dialect } = connection;
    return [
      { name, kind, model, provider: provider.id, base_url: provider.baseUrl, dialect: dialect.id },
    ];
  });
}

/** What was written, then what is built in, each by path. */
function sourcedValues({ config }: RunPlan, resolved: ResolvedConfig): SourcedValue[] {
  const written = resolved.paths.map((path) => ({
    path,
    value: valueAt(resolved.tree, path),
    source: resolved.sourceOf(path) ?? 'built-in',
  }));
  const builtIn = builtInValues.flatMap(([path, read]) =>
    resolved.paths.includes(path) ? [] : [{ path, value: read(config), source: 'built-in' }],
  );
  return [...written.toSorted((a, b) => (a.path < b.path ? -1 : 1)), ...builtIn];
}

const builtInValues: readonly (readonly [string, (config: RunPlan['config']) => unknown])[] = [
  ['rollouts_per_example', ({ rolloutsPerExample }) => rolloutsPerExample],
  ['max_concurrent', ({ maxConcurrent }) => maxConcurrent],
  ['output_dir', ({ outputDir }) => outputDir],
  ['harness.id', ({ harness }) => harness.id],
  ['environment.id', ({ environment }) => environment.id],
  ['client.type', ({ client }) => client.type],
  ['retries.max_retries', ({ retries }) => retries.maxRetries],
  ['gate.stop_after', ({ gate }) => gate.stopAfter],
  ['shutdown_grace', ({ shutdownGrace }) => `${shutdownGrace / 1000}s`],
];

function valueAt(tree: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null
          ? (at as Readonly<Record<string, unknown>>)[key]
          : undefined,
      tree,
    );
}
