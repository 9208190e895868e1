import type { Estimate } from './clustered-mean.ts';
import { clusteredMean } from './clustered-mean.ts';
import type { Moments } from './moments.ts';
import type { Pass } from './pass.ts';
import type { Range } from './range.ts';
import { rewardRange, unitRange } from './range.ts';
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
  readonly bounds: Bounds;
}

/** The mean reward if every unscored rollout had got one and the same; null without rollouts. */
export interface Bounds {
  readonly allZero: number | null;
  readonly allOne: number | null;
  /** the least and the most that a rollout can get, by the weights and by what was seen */
  readonly worst: { readonly reward: number; readonly mean: number | null };
  readonly best: { readonly reward: number; readonly mean: number | null };
}

/** What a live view shows of a run. */
export type Standing = Pick<Summary, 'scored' | 'unscored' | 'reward'>;

/** Linear in tasks, and a small part of what `summarize` costs. */
export function standing(tally: Tally, weights: Readonly<Record<string, number>> = {}): Standing {
  const tasks = [...tally.tasks.values()];
  const reward = clusteredMean(
    tasks.map((task) => task.reward),
    rewardRange(weights),
  );
  return {
    scored: reward.n,
    unscored: tasks.reduce((sum, task) => sum + task.unscored, 0),
    reward,
  };
}

/**
 * Linear in tasks.
 *
 * @param weights of each part of the reward; they say what a rollout can get at most
 */
export function summarize(tally: Tally, weights: Readonly<Record<string, number>> = {}): Summary {
  const tasks = [...tally.tasks.values()];
  const range = rewardRange(weights);
  const rewards = tasks.map((task) => task.reward);
  const reward = clusteredMean(rewards, range);
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
    rewards: estimates(tasks, (task) => task.rewards, unitRange),
    metrics: estimates(tasks, (task) => task.metrics, null),
    pass: passLevels(total.attempts).map((k) => passOver(counts, k)),
    bounds: boundsOf(reward, total.unscored, widened(range, rewards)),
  };
}

function boundsOf(reward: Estimate, unscored: number, [least, most]: Range): Bounds {
  return {
    allZero: meanWith(reward, unscored, 0),
    allOne: meanWith(reward, unscored, 1),
    worst: { reward: least, mean: meanWith(reward, unscored, least) },
    best: { reward: most, mean: meanWith(reward, unscored, most) },
  };
}

/** The range and every value seen. */
function widened([low, high]: Range, clusters: readonly Readonly<Moments>[]): Range {
  return [
    clusters.reduce((least, one) => Math.min(least, one.low), low),
    clusters.reduce((most, one) => Math.max(most, one.high), high),
  ];
}

function meanWith(reward: Estimate, unscored: number, value: number): number | null {
  const n = reward.n + unscored;
  return n === 0 ? null : ((reward.mean ?? 0) * reward.n + value * unscored) / n;
}

function estimates(
  tasks: readonly Readonly<TaskTally>[],
  values: (task: Readonly<TaskTally>) => ReadonlyMap<string, Moments>,
  range: Range | null,
): Record<string, Estimate> {
  const byName = new Map<string, Moments[]>();
  for (const task of tasks) {
    for (const [name, moments] of values(task)) {
      const clusters = byName.get(name);
      if (clusters) clusters.push(moments);
      else byName.set(name, [moments]);
    }
  }
  return Object.fromEntries(
    [...byName].map(([name, clusters]) => [name, clusteredMean(clusters, range)]),
  );
}
