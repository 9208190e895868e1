import type { Estimate } from './clustered-mean.ts';
import { clusteredMean } from './clustered-mean.ts';
import { momentsOfOne } from './moments.ts';
import { unitRange } from './range.ts';

/** Attempts of one task that have a score, and how many of them solved it. */
export interface SolvedCount {
  readonly scored: number;
  readonly solved: number;
}

/** How often k attempts at a task succeed, over the tasks that have at least k scored attempts. */
export interface Pass {
  readonly k: number;
  /** pass@k: at least one of k attempts solves the task */
  readonly any: Estimate;
  /** pass^k: all of k attempts solve it */
  readonly all: Estimate;
  /** tasks left out because fewer than k of their attempts have a score */
  readonly shortTasks: number;
}

/**
 * Unbiased estimate of pass@k for one task, 1 − C(n−c, k) / C(n, k), as a product that cannot
 * overflow. Source: Chen et al., "Evaluating Large Language Models Trained on Code",
 * arXiv:2107.03374, §2.1.
 *
 * @param n attempts; @param c those that solved the task; @param k attempts allowed, from 1 to n
 * @throws RangeError unless these are whole numbers with 0 ≤ c ≤ n and 1 ≤ k ≤ n
 */
export function passAtK(n: number, c: number, k: number): number {
  requireCounts(n, c, k);
  return 1 - chanceOfAll(n, n - c, k);
}

/**
 * Unbiased estimate of pass^k for one task, C(c, k) / C(n, k): all of k attempts solve it.
 * Source: Yao et al., "τ-bench", arXiv:2406.12045.
 *
 * @throws RangeError as {@link passAtK}
 */
export function passHatK(n: number, c: number, k: number): number {
  requireCounts(n, c, k);
  return chanceOfAll(n, c, k);
}

/**
 * pass@k and pass^k as means over tasks; each task weighs the same. A task with fewer than k scored
 * attempts has no unbiased estimate and is left out.
 */
export function passOver(tasks: Iterable<SolvedCount>, k: number): Pass {
  const any: number[] = [];
  const all: number[] = [];
  let shortTasks = 0;
  for (const { scored, solved } of tasks) {
    if (scored < k) {
      shortTasks += 1;
      continue;
    }
    any.push(passAtK(scored, solved, k));
    all.push(passHatK(scored, solved, k));
  }
  return { k, any: meanOverTasks(any), all: meanOverTasks(all), shortTasks };
}

/** The k that a report shows for so many attempts per task: powers of two, and all attempts. */
export function passLevels(attempts: number): number[] {
  const levels: number[] = [];
  for (let k = 1; k < attempts; k *= 2) levels.push(k);
  return attempts > 0 ? [...levels, attempts] : levels;
}

/** C(good, k) / C(n, k): the chance that k drawn without putting back are all good. */
function chanceOfAll(n: number, good: number, k: number): number {
  if (good < k) return 0;
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= (good - i) / (n - i);
  return chance;
}

function meanOverTasks(values: readonly number[]): Estimate {
  return clusteredMean(values.map(momentsOfOne), unitRange);
}

function requireCounts(n: number, c: number, k: number): void {
  const whole = [n, c, k].every(Number.isInteger);
  if (!whole || c < 0 || c > n || k < 1 || k > n) {
    throw new RangeError(`need 0 <= c <= n and 1 <= k <= n, got n=${n}, c=${c}, k=${k}`);
  }
}
