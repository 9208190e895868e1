import type { Estimate } from './clustered-mean.ts';
import { clusteredMean } from './clustered-mean.ts';
import type { Moments } from './moments.ts';
import type { Pass } from './pass.ts';
import { passLevels, passOver } from './pass.ts';
import type { Tally, TaskTally } from './tally.ts';

/** The figures of a run; what the table at its end shows. */
export interface Summary {
  readonly tasks: number;
  /** the most attempts that one task has, scored or not */
  readonly attempts: number;
  readonly rollouts: number;
  readonly scored: number;
  readonly unscored: number;
  /** scored rollouts that reached the bar for solved */
  readonly solved: number;
  readonly reward: Estimate;
  readonly rewards: Readonly<Record<string, Estimate>>;
  readonly metrics: Readonly<Record<string, Estimate>>;
  /** by rising k: powers of two, and all attempts */
  readonly pass: readonly Pass[];
  /**
   * the mean reward if every unscored rollout had got 0, and if it had got 1; null without rollouts
   */
  readonly bounds: { readonly allZero: number | null; readonly allOne: number | null };
}

/** Linear in tasks, so it may be called for a live view. */
export function summarize(tally: Tally): Summary {
  const tasks = [...tally.tasks.values()];
  const reward = clusteredMean(tasks.map((task) => task.reward));
  const total = { attempts: 0, unscored: 0, solved: 0 };
  for (const task of tasks) {
    total.attempts = Math.max(total.attempts, task.reward.count + task.unscored);
    total.unscored += task.unscored;
    total.solved += task.solved;
  }
  const counts = tasks.map((task) => ({ scored: task.reward.count, solved: task.solved }));
  return {
    ...total,
    tasks: tasks.length,
    rollouts: reward.n + total.unscored,
    scored: reward.n,
    reward,
    rewards: estimates(tasks, (task) => task.rewards),
    metrics: estimates(tasks, (task) => task.metrics),
    pass: passLevels(total.attempts).map((k) => passOver(counts, k)),
    bounds: {
      allZero: meanWith(reward, total.unscored, 0),
      allOne: meanWith(reward, total.unscored, 1),
    },
  };
}

function meanWith(reward: Estimate, unscored: number, value: number): number | null {
  const n = reward.n + unscored;
  return n === 0 ? null : ((reward.mean ?? 0) * reward.n + value * unscored) / n;
}

function estimates(
  tasks: readonly Readonly<TaskTally>[],
  values: (task: Readonly<TaskTally>) => ReadonlyMap<string, Moments>,
): Record<string, Estimate> {
  const byName = new Map<string, Moments[]>();
  for (const task of tasks) {
    for (const [name, moments] of values(task)) {
      const clusters = byName.get(name);
      if (clusters) clusters.push(moments);
      else byName.set(name, [moments]);
    }
  }
  return Object.fromEntries([...byName].map(([name, clusters]) => [name, clusteredMean(clusters)]));
}
