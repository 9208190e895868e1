import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomly } from '../test/randomly.ts';
import { momentsOf } from './moments.ts';
import { pairedDifference } from './paired.ts';
import { unitRange } from './range.ts';

const pairsOf = (rows: readonly (readonly [a: readonly number[], b: readonly number[]])[]) =>
  rows.map(([a, b]) => ({ a: momentsOf(a), b: momentsOf(b) }));

/** One attempt each: pairs with these differences. */
const oneEach = (differences: readonly number[]) =>
  pairsOf(differences.map((d) => [[d < 0 ? 1 : 0], [d > 0 ? 1 : 0]] as const));

/** statsmodels 0.15.0, DescrStatsW of the differences with 1 and −1 of weight ½ and 0 of weight 1; t of scipy 1.17.1. */
test.each([
  {
    differences: [1, 1, 0, 0, -1, 0, 1, 0],
    mean: 0.25,
    interval: [-0.30715540138714265, 0.7071554013871426],
    p: 0.38211372039787356,
    detectable: 0.6993323502662849,
  },
  {
    differences: Array.from({ length: 10 }, () => 0),
    mean: 0,
    interval: [-0.1885130968998504, 0.1885130968998504],
    p: 1,
    detectable: 0.2621300852069783,
  },
])('passed or failed, agrees with Agresti and Min: $differences', (reference) => {
  const got = pairedDifference(oneEach(reference.differences), unitRange);
  expect(got.difference.mean).toBeCloseTo(reference.mean, 12);
  expect(got.difference.interval?.[0]).toBeCloseTo(reference.interval[0] ?? NaN, 9);
  expect(got.difference.interval?.[1]).toBeCloseTo(reference.interval[1] ?? NaN, 9);
  expect(got.p).toBeCloseTo(reference.p, 9);
  expect(got.detectable).toBeCloseTo(reference.detectable, 9);
});

/** scipy 1.17.1: ttest_1samp and t.interval of [.1, .25, -.05, .3] */
test('partial marks and unbounded values, agrees with the paired t test', () => {
  const rows = [
    [[0.4], [0.5]],
    [[0.25], [0.5]],
    [[0.35], [0.3]],
    [[0.5], [0.8]],
  ] as const;
  for (const range of [unitRange, null]) {
    const got = pairedDifference(pairsOf(rows), range);
    expect(got.difference.mean).toBeCloseTo(0.15, 12);
    expect(got.difference.interval?.[0]).toBeCloseTo(-0.10159447139710168, 9);
    expect(got.difference.interval?.[1]).toBeCloseTo(0.4015944713971017, 9);
    expect(got.p).toBeCloseTo(0.1540309030009362, 9);
    expect(got.detectable).toBeCloseTo(0.32894949975909604, 9);
  }
});

const outcome = fc.constantFrom(0, 1);
const outcomes = fc.array(
  fc.tuple(
    fc.array(outcome, { minLength: 1, maxLength: 4 }),
    fc.array(outcome, { minLength: 1, maxLength: 4 }),
  ),
  { minLength: 2, maxLength: 20 },
);

test('the interval lies within −1 and 1, holds the difference, and leaves out 0 as p falls below 0.05', () => {
  fc.assert(
    fc.property(outcomes, (rows) => {
      const { difference, p } = pairedDifference(pairsOf(rows), unitRange);
      const [low, high] = difference.interval ?? [NaN, NaN];
      expect(low).toBeGreaterThanOrEqual(-1);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(difference.mean ?? NaN);
      expect(high).toBeGreaterThanOrEqual(difference.mean ?? NaN);
      expect(low <= 0 && high >= 0).toBe((p ?? NaN) >= 0.05);
    }),
  );
});

describe('holds the truth in 95 of 100 comparisons, or more', () => {
  test.each([
    { tasks: 10, attempts: 1, a: 0.5, b: 0.8 },
    { tasks: 25, attempts: 4, a: 0.9, b: 0.95 },
    { tasks: 100, attempts: 1, a: 0.97, b: 0.98 },
  ])('$tasks tasks × $attempts, $a and $b', ({ tasks, attempts, a, b }) => {
    const random = randomly(11);
    const draw = (share: number): number[] =>
      Array.from({ length: attempts }, () => Number(random() < share));
    const comparisons = 2_000;
    let held = 0;
    for (let i = 0; i < comparisons; i++) {
      const rows = Array.from({ length: tasks }, () => [draw(a), draw(b)] as const);
      const { interval } = pairedDifference(pairsOf(rows), unitRange).difference;
      const [low, high] = interval ?? [NaN, NaN];
      if (low <= b - a && b - a <= high) held++;
    }
    expect(held / comparisons).toBeGreaterThan(0.94);
  });
});
