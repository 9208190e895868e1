import type { Estimate } from './clustered-mean.ts';
import { clusteredMean } from './clustered-mean.ts';
import type { Moments } from './moments.ts';
import { momentsOf, momentsOfOne } from './moments.ts';
import type { Range } from './range.ts';
import { isAtEnds, rangeHolding } from './range.ts';
import { tQuantile, tTwoSided } from './student-t.ts';

/** What two runs have of one task; both have at least one value. */
export interface Pair {
  readonly a: Readonly<Moments>;
  readonly b: Readonly<Moments>;
}

/** One value of two runs, over the tasks that both have it for. */
export interface PairedDifference {
  /** means over these tasks of each task's mean; null without a task */
  readonly a: number | null;
  readonly b: number | null;
  /** B − A over the tasks, each with the same weight */
  readonly difference: Estimate;
  /** two-sided, of no difference; null with fewer than two tasks, or where nothing varies and the range is not known */
  readonly p: number | null;
  /** the least difference that a comparison of this size finds with a chance of 80 % at the 5 % level */
  readonly detectable: number | null;
}

/**
 * Paired by task: the difference of the two means of a task is one value, so repeated attempts do not count as
 * independent. Interval and p are those of the paired t test on these differences. Source, also of the detectable
 * difference: Miller, "Adding Error Bars to Evals", arXiv:2411.00640.
 *
 * Where every value is passed or failed, and where no difference varies within a known range, four halves of a pair
 * are added: one each for A alone and B alone, two for no difference. Without them the interval is too narrow for
 * few tasks, and has no width when the runs agree everywhere. Source: Agresti and Min, "Simple improved confidence
 * intervals for comparing matched proportions", Statistics in Medicine 24, 2005. The mean stays that of the tasks.
 *
 * @param range what a value can be; not used when a value lies outside
 */
export function pairedDifference(pairs: readonly Pair[], range: Range | null): PairedDifference {
  const plain = clusteredMean(pairs.map(({ a, b }) => momentsOfOne(b.mean - a.mean)));
  const values = pairs.flatMap(({ a, b }) => [a, b]);
  const known = range === null ? null : rangeHolding(values, range);
  const isPadded =
    known !== null && (plain.standardError === 0 || isAtEnds(values, known)) && pairs.length > 1;
  const test = isPadded ? padded(pairs, known[1] - known[0]) : testOf(plain);
  return {
    a: meanOf(pairs.map(({ a }) => a.mean)),
    b: meanOf(pairs.map(({ b }) => b.mean)),
    difference: {
      ...plain,
      standardError: test?.error ?? plain.standardError,
      interval: test?.interval ?? null,
    },
    p: test === null ? null : tTwoSided(test.centre / test.error, plain.degrees),
    detectable:
      test === null
        ? null
        : (tQuantile(0.975, plain.degrees) + tQuantile(0.8, plain.degrees)) * test.error,
  };
}

interface Test {
  readonly centre: number;
  readonly error: number;
  readonly interval: readonly [low: number, high: number];
}

function testOf({ mean, standardError, interval }: Estimate): Test | null {
  if (mean === null || interval === null || standardError === null) return null;
  return { centre: mean, error: standardError, interval };
}

/** @param width of the range of the values; a difference lies between −width and width */
function padded(pairs: readonly Pair[], width: number): Test {
  const size = pairs.length + 2;
  let [sum, squares] = [0, width * width];
  for (const { a, b } of pairs) {
    const difference = b.mean - a.mean;
    sum += difference;
    squares += difference * difference;
  }
  const centre = sum / size;
  const error = Math.sqrt(Math.max(0, squares - (sum * sum) / size)) / size;
  const half = tQuantile(0.975, pairs.length - 1) * error;
  return {
    centre,
    error,
    interval: [Math.max(-width, centre - half), Math.min(width, centre + half)],
  };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : momentsOf(values).mean;
}
