import type { TasksetPlan } from '@vf/rollout';
import type { RunPlan } from './run-plan.ts';

/** What a run is made of, as headings and tables name it. */
export interface RunAbout {
  readonly taskset: string;
  readonly models: readonly string[];
  readonly harnesses: readonly { readonly id: string; readonly version: string | null }[];
  readonly runtimes: readonly string[];
  /** Rewards look into the box, so the stored traces cannot be scored again. */
  readonly boxToScore?: true;
  /** A program of its own played it: vf can show it, but plays nothing of it. */
  readonly elsewhere?: true;
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
    ...(needsBoxToScore(episode.taskset) ? { boxToScore: true } : {}),
    planned: {
      tasks: tasks.length,
      attempts: config.rolloutsPerExample,
      rollouts: tasks.length * config.rolloutsPerExample,
    },
  };
}

/** Does any reward of the taskset's own look into the box? A config may have put others in their place. */
export function needsBoxToScore({ spec, rewards }: TasksetPlan): boolean {
  if (spec.needs?.boxToScore !== true) return false;
  const own = Object.values(spec.rewards ?? {}).map((reward) =>
    typeof reward === 'function' ? reward : reward.score,
  );
  return rewards.some(({ score }) => own.includes(score));
}
