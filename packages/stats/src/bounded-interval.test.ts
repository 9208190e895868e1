import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusteredMean } from './clustered-mean.ts';
import { momentsOf } from './moments.ts';
import { rewardRange, unitRange } from './range.ts';
import type { Range } from './range.ts';
import { randomly } from '../test/randomly.ts';

const over = (groups: readonly (readonly number[])[], range: Range = unitRange) =>
  clusteredMean(groups.map(momentsOf), range);

/**
 * statsmodels 0.15.0, proportion_confint(p·m, m, alpha=2·norm.sf(t), method='wilson') with t = scipy 1.17.1
 * t.ppf(.975, tasks − 1) and m = p(1 − p) / s², s the error of OLS(y, 1).fit(cov_type='cluster'); m at most the
 * number of values where they are all 0 or 1, and the number of tasks where s is 0.
 */
const references: readonly {
  of: string;
  groups: number[][];
  range?: Range;
  interval: [number, number];
}[] = [
  {
    of: 'attempts of unequal number',
    groups: [
      [1, 0, 1, 1],
      [0, 0, 0, 0],
      [1, 1, 1, 0],
      [0, 1],
    ],
    interval: [0.10530211788717087, 0.8946978821128291],
  },
  {
    of: 'partial marks',
    groups: [[0.25], [0.5], [1], [0], [0.75]],
    interval: [0.14974068059471612, 0.8502593194052839],
  },
  {
    of: 'two tasks',
    groups: [[1, 1, 0], [0]],
    interval: [0.006081189212796878, 0.9939188107872031],
  },
  {
    of: 'all solved',
    groups: [[1, 1], [1, 1], [1, 1], [1], [1, 1]],
    interval: [0.3934328991828762, 1],
  },
  {
    of: 'none solved',
    groups: Array.from({ length: 10 }, () => [0]),
    interval: [0, 0.3385086226601833],
  },
  {
    of: 'tasks alike',
    groups: [
      [1, 0],
      [0, 1],
      [1, 0],
    ],
    interval: [0.036171294616189786, 0.9638287053838102],
  },
  {
    of: 'tasks more alike than chance',
    groups: [
      [1, 0, 0, 1],
      [1, 1, 1, 1],
      [1, 1, 0, 0],
      [0, 0, 1, 1],
      [0, 1, 1, 0],
      [1, 0, 1, 1],
    ],
    interval: [0.3714590700210724, 0.8245688106700497],
  },
  {
    of: 'one task',
    groups: [[1, 1, 1, 0, 1]],
    interval: [0.22255362920124616, 0.9824230784801447],
  },
  {
    of: 'rewards up to 1.1',
    groups: [[1.1], [1], [0], [1.1, 0.1]],
    range: [0, 1.1],
    interval: [0.17828191979175087, 1.01292306430171],
  },
];

test.each(references)('agrees with statsmodels: $of', ({ groups, range, interval }) => {
  const got = over(groups, range).interval;
  expect(got?.[0]).toBeCloseTo(interval[0], 9);
  expect(got?.[1]).toBeCloseTo(interval[1], 9);
});

const mark = fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000);
const marks = fc.array(fc.array(mark, { minLength: 1, maxLength: 5 }), {
  minLength: 2,
  maxLength: 10,
});

test('never leaves the range, holds the mean and has a width', () => {
  fc.assert(
    fc.property(marks, (groups) => {
      const { mean, interval } = over(groups);
      const [low, high] = interval ?? [NaN, NaN];
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual((mean ?? NaN) + 1e-12);
      expect(high).toBeGreaterThanOrEqual((mean ?? NaN) - 1e-12);
      expect(high).toBeGreaterThan(low);
    }),
  );
});

test('turned around, the interval turns around', () => {
  fc.assert(
    fc.property(marks, (groups) => {
      const got = over(groups).interval;
      const turned = over(groups.map((task) => task.map((value) => 1 - value))).interval;
      expect(turned?.[0]).toBeCloseTo(1 - (got?.[1] ?? NaN), 6);
      expect(turned?.[1]).toBeCloseTo(1 - (got?.[0] ?? NaN), 6);
    }),
  );
});

test('with many tasks it is the plain interval', () => {
  const random = randomly(1);
  const groups = Array.from({ length: 4_000 }, () => [random(), random()]);
  const plain = clusteredMean(groups.map(momentsOf)).interval;
  const got = over(groups).interval;
  expect(got?.[0]).toBeCloseTo(plain?.[0] ?? NaN, 4);
  expect(got?.[1]).toBeCloseTo(plain?.[1] ?? NaN, 4);
});

describe('holds the truth in 95 of 100 runs, or more', () => {
  test.each([
    { tasks: 10, attempts: 1, solves: 0.5 },
    { tasks: 10, attempts: 4, solves: 0.9 },
    { tasks: 30, attempts: 1, solves: 0.97 },
    { tasks: 30, attempts: 4, solves: 0.7 },
  ])('$tasks tasks × $attempts at $solves', ({ tasks, attempts, solves }) => {
    const random = randomly(7);
    const runs = 2_000;
    let held = 0;
    for (let run = 0; run < runs; run++) {
      const groups = Array.from({ length: tasks }, () => {
        // Half of the tasks are always or never solved, so attempts resemble each other.
        const own = random() < 0.5 ? Number(random() < solves) : solves;
        return Array.from({ length: attempts }, () => Number(random() < own));
      });
      const [low, high] = over(groups).interval ?? [NaN, NaN];
      if (low <= solves && solves <= high) held++;
    }
    expect(held / runs).toBeGreaterThan(0.93);
  });
});

test('without a known range: the plain interval, none where nothing varies', () => {
  expect(clusteredMean([[3], [3]].map(momentsOf)).interval).toBeNull();
  expect(over([[0.5], [1.5]]).interval).toEqual(
    clusteredMean([[0.5], [1.5]].map(momentsOf)).interval,
  );
});

test('what a rollout can get, by the weights of its parts', () => {
  expect(rewardRange({})).toEqual([0, 1]);
  expect(rewardRange({ tests: 1, tidy: 0.1, asked: 0 })).toEqual([0, 1.1]);
  expect(rewardRange({ tests: 1, cheated: -2 })).toEqual([-2, 1]);
});
