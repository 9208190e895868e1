import type { Problem } from '@vf/core/errors';
import type { Images } from './check-boxes.ts';
import type { RunPlan } from './run-plan.ts';
import { measuredSideModels } from './measured-side-models.ts';
import { firstFew } from '../first-few.ts';

/** Values that decide what a run measures, flat: `sampling.temperature` -> 0.7. */
export type Measured = Readonly<Record<string, unknown>>;

/** Concurrency, budgets, retries, prices and folders are not among them: they do not change what is measured. */
export function measuredValues(plan: RunPlan): Measured {
  const { config, episode, plugins } = plan;
  const flat: Record<string, unknown> = {};
  const roles = Object.values(episode.roles).map(
    ({ name, model, harness, runtime, dialect, sampling, limits, timeouts, scored }) => [
      name,
      {
        model,
        harness: { id: harness.id, version: harness.version, options: harness.config },
        runtime: { id: runtime.id, options: runtime.config },
        dialect,
        sampling,
        limits,
        timeouts,
        scored,
      },
    ],
  );
  flatten(
    '',
    {
      taskset: { id: config.taskset?.id, options: episode.taskset.config },
      environment: { id: episode.environment.id, options: episode.environment.config },
    },
    flat,
  );
  // The usual run has one role; its values then stand where the user wrote them.
  if (roles.length === 1) flatten('', Object.fromEntries(roles)[roles[0]?.[0] as string], flat);
  else flatten('roles', Object.fromEntries(roles), flat);
  flatten('hooks', { rewards: config.rewards, metrics: config.metrics, stops: config.stops }, flat);
  flatten('judges', measuredSideModels(plan.sideModels), flat);
  for (const [role, { id, baseUrl }] of Object.entries(plan.providers))
    flatten(`provider.${role}`, { id, baseUrl, ...trained(config, role) }, flat);
  for (const { kind, id, package: name, version } of plugins)
    flat[`plugins.${kind}/${id}`] = name === null ? 'a path' : `${name}@${version}`;
  return flat;
}

/** How tokens are made of what a role says, when they are. */
function trained(config: RunPlan['config'], role: string): object {
  const { type, train } = config.roles[role]?.client ?? config.client;
  if (type === 'eval') return {};
  const { engine, renderer, rendererOptions, logprobs } = train;
  const { date, ...options } = rendererOptions;
  const dated = date === undefined ? options : { ...options, date: date.toISOString() };
  return { engine, renderer: renderer ?? 'auto', rendererOptions: dated, logprobs };
}

function flatten(path: string, value: unknown, into: Record<string, unknown>): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    into[path] = value;
    return;
  }
  for (const [key, item] of Object.entries(value))
    flatten(path === '' ? key : `${path}.${key}`, item, into);
}

/** What a run measures. */
interface Measurement {
  readonly measured: Measured;
  /** Hash by key. */
  readonly tasks: Readonly<Record<string, string>>;
  readonly images: Images;
}

/** Each difference with where its new value comes from; tasks by key and hash, images where both are known. */
export function differences(
  before: Measurement,
  after: Measurement,
  sourceOf: (path: string) => string | null,
): Problem[] {
  const paths = [...new Set([...Object.keys(before.measured), ...Object.keys(after.measured)])];
  const values = paths.flatMap((path) => {
    const [old, now] = [before.measured[path], after.measured[path]];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    const source = sourceOf(path);
    return [
      { path, message: `${shown(old)} → ${shown(now)}${source === null ? '' : ` (${source})`}` },
    ];
  });
  return [
    ...values,
    ...taskDifferences(before.tasks, after.tasks),
    ...imageDifferences(before.images, after.images),
  ];
}

function taskDifferences(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Problem[] {
  const keys = Object.keys(before);
  const gone = keys.filter((key) => after[key] === undefined);
  const changed = keys.filter((key) => after[key] !== undefined && after[key] !== before[key]);
  return [
    ...(gone.length === 0
      ? []
      : [
          {
            path: 'tasks',
            message: `${gone.length} of ${keys.length} are no longer there: ${firstFew(gone)}`,
          },
        ]),
    ...(changed.length === 0
      ? []
      : [
          {
            path: 'tasks',
            message: `${changed.length} have another content: ${firstFew(changed)}`,
          },
        ]),
  ];
}

function imageDifferences(before: Images, after: Images): Problem[] {
  return Object.entries(before).flatMap(([name, old]) => {
    const now = after[name] ?? null;
    if (old === null || now === null || old === now) return [];
    return [{ path: `images.${name}`, message: `${old} → ${now}` }];
  });
}

function shown(value: unknown): string {
  if (value === undefined) return 'unset';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
