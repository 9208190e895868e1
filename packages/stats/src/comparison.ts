import type { Moments } from './moments.ts';
import { addValue } from './moments.ts';
import type { Pair, PairedDifference } from './paired.ts';
import { pairedDifference } from './paired.ts';
import type { Range } from './range.ts';
import { rewardRange, unitRange } from './range.ts';
import type { Tally, TaskTally } from './tally.ts';
import { emptyTask } from './tally.ts';

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
   * the low end of the interval when every rollout without a score speaks against B, and the high end when all speak
   * for it; over all tasks that both have, so it can lie within or beside the interval of those that both have
   * scored; null without an interval
   */
  readonly worstCase: readonly [low: number, high: number] | null;
}

/** What two runs were to play, so that what they never played counts as unscored. */
export interface PlannedPairs {
  /** tasks that both have, by A's keys */
  readonly tasks: readonly string[];
  /** attempts at each of them */
  readonly attempts: { readonly a: number; readonly b: number };
}

/** A task that both runs have tried. */
interface TaskPair {
  readonly task: string;
  readonly a: Readonly<TaskTally>;
  readonly b: Readonly<TaskTally>;
}

/**
 * Paired comparison by task, see {@link pairedDifference}. An unscored rollout is in no mean; what it could change
 * at most is `worstCase`. Source: Manski, "Partial Identification of Probability Distributions", 2003; its ends are
 * those of intervals of the two bounds, as in Horowitz and Manski, "Nonparametric Analysis of Randomized Experiments
 * with Missing Covariate and Outcome Data", JASA 95, 2000.
 *
 * @param weights of each part of the reward, of both runs; they say what a rollout can get
 * @param planned without it what was never played counts nowhere
 */
export function compare(
  a: Tally,
  b: Tally,
  weights: Readonly<Record<string, number>> = {},
  planned: PlannedPairs | null = null,
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
    worstCase: worstCase(planned === null ? pairs : plannedPairs(a, b, planned), range),
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

/** Of each task that both were to play what came of it; attempts that are not there are unscored. */
function plannedPairs(a: Tally, b: Tally, { tasks, attempts }: PlannedPairs): TaskPair[] {
  return tasks.map((task) => ({
    task,
    a: withMissing(a.tasks.get(task), attempts.a),
    b: withMissing(b.tasks.get(task), attempts.b),
  }));
}

function withMissing(task: Readonly<TaskTally> | undefined, attempts: number): Readonly<TaskTally> {
  const tally = task ?? emptyTask();
  return { ...tally, unscored: Math.max(tally.unscored, attempts - tally.reward.count) };
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

function worstCase(pairs: readonly TaskPair[], [least, most]: Range): Comparison['worstCase'] {
  const filledWith = (ofA: number, ofB: number) =>
    pairedDifference(
      pairs.map(({ a, b }) => ({
        a: filled(a, ofA),
        b: filled(b, ofB),
      })),
      [least, most],
    ).difference.interval;
  const against = filledWith(most, least);
  const inFavour = filledWith(least, most);
  return against && inFavour ? [against[0], inFavour[1]] : null;
}

/** The task's rewards when each unscored attempt has got `value`. */
function filled({ reward, unscored }: Readonly<TaskTally>, value: number): Moments {
  const moments = { ...reward };
  for (let i = 0; i < unscored; i++) addValue(moments, value);
  return moments;
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
