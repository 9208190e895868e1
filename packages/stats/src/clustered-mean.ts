import { boundedInterval } from './bounded-interval.ts';
import type { Moments } from './moments.ts';
import type { Range } from './range.ts';
import { rangeHolding } from './range.ts';
import { tQuantile } from './student-t.ts';

/** A mean and what is known about its error. */
export interface Estimate {
  /** null when there is no value at all */
  readonly mean: number | null;
  /** null when one value alone says nothing about its error */
  readonly standardError: number | null;
  /** low and high end of the 95 % interval; null when nothing varied and the range is not known */
  readonly interval: readonly [low: number, high: number] | null;
  /** values that went in */
  readonly n: number;
  /** tasks that they belong to */
  readonly tasks: number;
  /** degrees of freedom of the t quantile; 0 without an interval */
  readonly degrees: number;
  /** what the interval speaks of: other tasks of this kind, or more attempts at this one task */
  readonly basis: 'tasks' | 'attempts' | null;
}

/** Spread below this share of the values' size is rounding, not variation. */
const ROUNDING = 1e-14;

/**
 * The mean of all values with a 95 % interval that respects repeated attempts: values of one task
 * are one cluster, since its attempts resemble each other. Every value weighs the same, so a task
 * with more attempts weighs more.
 *
 * The standard error is the cluster-robust one (CR1) of a mean, sqrt(G/(G−1) · Σ_g (n_g (x̄_g −
 * x̄))²) / N for G tasks and N values; the interval uses Student's t at G − 1 degrees of freedom.
 * With one attempt per task it is the textbook s/√N. Where the range of
 * the values is known the interval keeps to it, see {@link boundedInterval}. Sources: Cameron and Miller, "A Practitioner's
 * Guide to Cluster-Robust Inference", Journal of Human Resources 50(2), 2015; for evaluations,
 * Miller, "Adding Error Bars to Evals", arXiv:2411.00640.
 *
 * With a single task there is nothing to compare between tasks: the interval then is that of its
 * attempts (`basis: 'attempts'`) and says nothing about other tasks. With a single value there is
 * none.
 *
 * @param clusters one entry per task; those without values are left out
 * @param range what a value can be; not used when a value lies outside
 */
export function clusteredMean(
  clusters: Iterable<Readonly<Moments>>,
  range: Range | null = null,
): Estimate {
  const filled = [...clusters].filter((cluster) => cluster.count > 0);
  const n = sum(filled, (cluster) => cluster.count);
  if (n === 0) return unknown(null, 0, 0);
  const mean = sum(filled, (cluster) => cluster.count * cluster.mean) / n;
  const tasks = filled.length;
  if (n === 1) return unknown(mean, n, tasks);
  const degrees = (tasks > 1 ? tasks : n) - 1;
  const spread =
    tasks > 1
      ? sum(filled, (cluster) => (cluster.count * (cluster.mean - mean)) ** 2)
      : sum(filled, (cluster) => cluster.squares);
  const size = sum(filled, (cluster) => cluster.squares + cluster.count * cluster.mean ** 2);
  const raw = Math.sqrt((spread * (degrees + 1)) / degrees) / n;
  const standardError = raw <= ROUNDING * Math.sqrt(size / n) ? 0 : raw;
  const quantile = tQuantile(0.975, degrees);
  const known = range === null ? null : rangeHolding(filled, range);
  const about = { mean, standardError, n, independent: degrees + 1, quantile };
  const interval = known === null ? plainInterval(about) : boundedInterval(filled, known, about);
  const basis = tasks > 1 ? 'tasks' : 'attempts';
  return { mean, standardError, interval, n, tasks, degrees, basis };
}

function plainInterval({
  mean,
  standardError,
  quantile,
}: {
  readonly mean: number;
  readonly standardError: number;
  readonly quantile: number;
}): Estimate['interval'] {
  const half = quantile * standardError;
  return half === 0 ? null : [mean - half, mean + half];
}

function unknown(mean: number | null, n: number, tasks: number): Estimate {
  return { mean, standardError: null, interval: null, n, tasks, degrees: 0, basis: null };
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += value(item);
  return total;
}
