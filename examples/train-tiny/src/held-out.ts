import type { TrlRow } from '@vf/export-trl';
import { clusteredMean, momentsOf, pairedDifference, unitRange } from '@vf/stats';
import type { Estimate, PairedDifference } from '@vf/stats';

/** Rewards of rollouts, by task. */
export type Rewards = ReadonlyMap<string, readonly number[]>;

export function rewardsOf(samples: readonly Pick<TrlRow, 'task' | 'reward'>[]): Rewards {
  const byTask = Map.groupBy(samples, ({ task }) => task);
  return new Map([...byTask].map(([task, rows]) => [task, rows.map(({ reward }) => reward)]));
}

/** The mean reward with its 95 % interval; attempts at one sum resemble each other and count as one cluster. */
export function estimate(rewards: Rewards): Estimate {
  return clusteredMean([...rewards.values()].map(momentsOf), unitRange);
}

/** After − before, paired by sum, over the sums that both have a reward for. */
export function improvement(before: Rewards, after: Rewards): PairedDifference {
  const pairs = [...before].flatMap(([task, rewards]) => {
    const later = after.get(task);
    return later === undefined ? [] : [{ a: momentsOf(rewards), b: momentsOf(later) }];
  });
  return pairedDifference(pairs, unitRange);
}
