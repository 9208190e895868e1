import type { ResolvedConfig, RunPlan } from '@vf/run';
import { formatCount } from './format.ts';

/** The resolved plan: each value with its source, the plugins, what was decided. */
export function planText(plan: RunPlan, resolved: ResolvedConfig, json: boolean): string {
  const values = resolved.paths.toSorted().map((path) => ({
    path,
    value: valueAt(resolved.tree, path),
    source: resolved.sourceOf(path) ?? 'built-in',
  }));
  const { tasks, plugins, providers, config, notes } = plan;
  if (json) {
    const keys = tasks.map(({ key }) => key);
    return JSON.stringify({
      v: 1,
      values,
      plugins,
      providers,
      tasks: keys,
      rollouts: tasks.length * config.rolloutsPerExample,
      notes: [...resolved.notes, ...notes],
    });
  }
  const width = Math.max(0, ...values.map(({ path }) => path.length));
  return [
    `${formatCount(tasks.length)} tasks × ${config.rolloutsPerExample} = ${formatCount(tasks.length * config.rolloutsPerExample)} rollouts, ${config.maxConcurrent} at once`,
    '',
    ...values.map(
      ({ path, value, source }) =>
        `  ${path.padEnd(width)}  ${JSON.stringify(value)}   (${source})`,
    ),
    '',
    ...plugins.map(
      ({ kind, id, package: name, version }) =>
        `  ${kind} ${id}   ${name === null ? 'a path' : `${name}@${version}`}`,
    ),
    ...Object.entries(providers).map(
      ([role, { id, baseUrl }]) => `  provider of ${role}: ${id} ${baseUrl}`,
    ),
    ...Object.values(plan.episode.roles).map(
      ({ name, dialect, model }) => `  ${name}: model ${model} over ${dialect}`,
    ),
    ...[...resolved.notes, ...notes].map((note) => `  ${note}`),
  ].join('\n');
}

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
