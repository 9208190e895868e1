import type { Moments } from './moments.ts';
import { momentsOfOne } from './moments.ts';
import type { Pair, PairedDifference } from './paired.ts';
import { pairedDifference } from './paired.ts';
import type { Range } from './range.ts';
import { rewardRange, unitRange } from './range.ts';
import type { Tally, TaskTally } from './tally.ts';

/** B against A on the tasks that both have scored; task keys are listed in A's order. */
export interface Comparison {
  readonly reward: PairedDifference;
  /** each part of the reward and each metric that both have, by name */
  readonly rewards: Readonly<Record<string, PairedDifference>>;
  readonly metrics: Readonly<Record<string, PairedDifference>>;
  /** tasks that one run solves more often than not and the other does not */
  readonly flips: { readonly aOnly: readonly string[]; readonly bOnly: readonly string[] };
  readonly scoredOnlyIn: { readonly a: readonly string[]; readonly b: readonly string[] };
  /** rollouts without a score */
  readonly unscored: { readonly a: number; readonly b: number };
  /**
   * the ends of the interval when every unscored rollout speaks against, and for, B; null without
   * an interval
   */
  readonly worstCase: readonly [low: number, high: number] | null;
}

/** A task that both runs have tried. */
interface TaskPair {
  readonly task: string;
  readonly a: Readonly<TaskTally>;
  readonly b: Readonly<TaskTally>;
}

/**
 * Paired comparison by task, see {@link pairedDifference}. An unscored rollout is in no mean; what it could change
 * at most is `worstCase`: Manski, "Partial Identification of Probability Distributions", 2003.
 *
 * @param weights of each part of the reward, of both runs; they say what a rollout can get
 */
export function compare(
  a: Tally,
  b: Tally,
  weights: Readonly<Record<string, number>> = {},
): Comparison {
  const pairs = pairsOf(a, b);
  const scored = pairs.filter((pair) => pair.a.reward.count > 0 && pair.b.reward.count > 0);
  const range = rewardRange(weights);
  const reward = pairedDifference(
    scored.map((pair) => ({ a: pair.a.reward, b: pair.b.reward })),
    range,
  );
  return {
    reward,
    rewards: partDifferences(scored, (task) => task.rewards, unitRange),
    metrics: partDifferences(scored, (task) => task.metrics, null),
    flips: {
      aOnly: keys(scored.filter((pair) => mostlySolved(pair.a) && !mostlySolved(pair.b))),
      bOnly: keys(scored.filter((pair) => mostlySolved(pair.b) && !mostlySolved(pair.a))),
    },
    scoredOnlyIn: { a: scoredOnly(a, b), b: scoredOnly(b, a) },
    unscored: { a: unscoredOf(a), b: unscoredOf(b) },
    worstCase: worstCase(pairs, reward.difference.interval, range),
  };
}

function pairsOf(a: Tally, b: Tally): TaskPair[] {
  const pairs: TaskPair[] = [];
  for (const [task, ofA] of a.tasks) {
    const ofB = b.tasks.get(task);
    if (ofB) pairs.push({ task, a: ofA, b: ofB });
  }
  return pairs;
}

function partDifferences(
  scored: readonly TaskPair[],
  values: (task: Readonly<TaskTally>) => ReadonlyMap<string, Moments>,
  range: Range | null,
): Record<string, PairedDifference> {
  const byName = new Map<string, Pair[]>();
  for (const { a, b } of scored) {
    const ofB = values(b);
    for (const [name, moments] of values(a)) {
      const other = ofB.get(name);
      if (other === undefined) continue;
      const pairs = byName.get(name);
      if (pairs) pairs.push({ a: moments, b: other });
      else byName.set(name, [{ a: moments, b: other }]);
    }
  }
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => [name, pairedDifference(pairs, range)]),
  );
}

function worstCase(
  pairs: readonly TaskPair[],
  seen: readonly [low: number, high: number] | null,
  [least, most]: Range,
): Comparison['worstCase'] {
  const filledWith = (ofA: number, ofB: number) =>
    pairedDifference(
      pairs.map(({ a, b }) => ({
        a: momentsOfOne(filled(a, ofA)),
        b: momentsOfOne(filled(b, ofB)),
      })),
      [least, most],
    ).difference.interval;
  const against = filledWith(most, least);
  const inFavour = filledWith(least, most);
  if (!against || !inFavour) return null;
  const [low, high] = seen ?? [Infinity, -Infinity];
  return [Math.min(low, against[0]), Math.max(high, inFavour[1])];
}

/** The task's mean reward when each unscored attempt counts as `value`. */
function filled(task: Readonly<TaskTally>, value: number): number {
  const { count, mean } = task.reward;
  return (count * mean + task.unscored * value) / (count + task.unscored);
}

function mostlySolved(task: Readonly<TaskTally>): boolean {
  return 2 * task.solved > task.reward.count;
}

function scoredOnly(run: Tally, other: Tally): string[] {
  return [...run.tasks]
    .filter(([key, task]) => task.reward.count > 0 && !other.tasks.get(key)?.reward.count)
    .map(([key]) => key);
}

function unscoredOf(run: Tally): number {
  let total = 0;
  for (const task of run.tasks.values()) total += task.unscored;
  return total;
}

function keys(pairs: readonly TaskPair[]): string[] {
  return pairs.map((pair) => pair.task);
}
