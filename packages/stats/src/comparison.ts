import type { Estimate } from './clustered-mean.ts';
import { clusteredMean } from './clustered-mean.ts';
import { momentsOf } from './moments.ts';
import { tQuantile, tTwoSided } from './student-t.ts';
import type { Tally, TaskTally } from './tally.ts';

/** B against A on the tasks that both have scored; task keys are listed in A's order. */
export interface Comparison {
  /** mean over the common tasks of each task's mean reward */
  readonly a: number | null;
  readonly b: number | null;
  /** B − A over the common tasks, each with the same weight */
  readonly difference: Estimate;
  /**
   * two-sided, of no difference; null where t has no value: fewer than two tasks, or a difference
   * that never varies
   */
  readonly p: number | null;
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
  /**
   * the least difference that a comparison of this size finds with a chance of 80 % at the 5 %
   * level
   */
  readonly detectable: number | null;
}

/** A task that both runs have tried. */
interface Pair {
  readonly task: string;
  readonly a: Readonly<TaskTally>;
  readonly b: Readonly<TaskTally>;
}

/**
 * Paired comparison by task: the difference of the two means of a task is one value, so repeated
 * attempts do not count as independent. The interval and p are those of the paired t test on these
 * differences. Source, also of the detectable difference: Miller, "Adding Error Bars to Evals",
 * arXiv:2411.00640.
 */
export function compare(a: Tally, b: Tally): Comparison {
  const pairs = pairsOf(a, b);
  const scored = pairs.filter((pair) => pair.a.reward.count > 0 && pair.b.reward.count > 0);
  const difference = overTasks(scored.map((pair) => pair.b.reward.mean - pair.a.reward.mean));
  return {
    a: overTasks(scored.map((pair) => pair.a.reward.mean)).mean,
    b: overTasks(scored.map((pair) => pair.b.reward.mean)).mean,
    difference,
    p: pValue(difference),
    flips: {
      aOnly: keys(scored.filter((pair) => mostlySolved(pair.a) && !mostlySolved(pair.b))),
      bOnly: keys(scored.filter((pair) => mostlySolved(pair.b) && !mostlySolved(pair.a))),
    },
    scoredOnlyIn: { a: scoredOnly(a, b), b: scoredOnly(b, a) },
    unscored: { a: unscoredOf(a), b: unscoredOf(b) },
    worstCase: worstCase(pairs, difference),
    detectable: detectable(difference),
  };
}

function pairsOf(a: Tally, b: Tally): Pair[] {
  const pairs: Pair[] = [];
  for (const [task, ofA] of a.tasks) {
    const ofB = b.tasks.get(task);
    if (ofB) pairs.push({ task, a: ofA, b: ofB });
  }
  return pairs;
}

function overTasks(values: readonly number[]): Estimate {
  return clusteredMean(values.map((value) => momentsOf([value])));
}

function pValue({ mean, standardError, degrees }: Estimate): number | null {
  if (mean === null || standardError === null) return null;
  if (standardError > 0) return tTwoSided(mean / standardError, degrees);
  return mean === 0 ? 1 : null;
}

function detectable({ standardError, degrees }: Estimate): number | null {
  if (standardError === null || standardError === 0) return null;
  return (tQuantile(0.975, degrees) + tQuantile(0.8, degrees)) * standardError;
}

function worstCase(pairs: readonly Pair[], seen: Estimate): Comparison['worstCase'] {
  const against = overTasks(pairs.map((pair) => filled(pair.b, 0) - filled(pair.a, 1))).interval;
  const inFavour = overTasks(pairs.map((pair) => filled(pair.b, 1) - filled(pair.a, 0))).interval;
  if (!against || !inFavour) return null;
  const [low, high] = seen.interval ?? [Infinity, -Infinity];
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

function keys(pairs: readonly Pair[]): string[] {
  return pairs.map((pair) => pair.task);
}
