import type { RunPlan } from './run-plan.ts';

/** What a run is made of, as headings and tables name it. */
export interface RunAbout {
  readonly taskset: string;
  readonly models: readonly string[];
  readonly harnesses: readonly { readonly id: string; readonly version: string | null }[];
  readonly runtimes: readonly string[];
  readonly planned: {
    readonly tasks: number;
    readonly attempts: number;
    readonly rollouts: number;
  };
}

export function aboutOf({ episode, tasks, config }: RunPlan): RunAbout {
  const roles = Object.values(episode.roles);
  const harnesses = roles.map(({ harness: { id, version } }) => ({ id, version }));
  return {
    taskset: episode.taskset.name,
    models: [...new Set(roles.map(({ model }) => model))],
    harnesses: [...new Map(harnesses.map((one) => [`${one.id}@${one.version}`, one])).values()],
    runtimes: [...new Set(roles.map(({ runtime }) => runtime.id))],
    planned: {
      tasks: tasks.length,
      attempts: config.rolloutsPerExample,
      rollouts: tasks.length * config.rolloutsPerExample,
    },
  };
}
