import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { passAtK, passHatK, passLevels, passOver } from './pass.ts';

/**
 * Python: 1 - comb(n - c, k) / comb(n, k) and comb(c, k) / comb(n, k), with math.comb's exact
 * integers
 */
const exact: readonly [n: number, c: number, k: number, any: number, all: number][] = [
  [4, 1, 1, 0.25, 0.25],
  [4, 1, 2, 0.5, 0],
  [4, 3, 2, 1, 0.5],
  [10, 3, 5, 0.9166666666666666, 0],
  [100, 7, 10, 0.5332595856827855, 0],
  [200, 13, 64, 0.9945228923223403, 0],
  [1000, 500, 100, 1, 3.197616079092609e-33],
];

test.each(exact)('n=%d c=%d k=%d', (n, c, k, any, all) => {
  expect(passAtK(n, c, k)).toBeCloseTo(any, 12);
  expect(Math.abs(passHatK(n, c, k) - all)).toBeLessThanOrEqual(1e-12 * all);
});

const counts = fc
  .integer({ min: 1, max: 9 })
  .chain((n) =>
    fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n }), fc.integer({ min: 1, max: n })),
  );

/** Every way to draw k of n attempts, the first c of which solved the task. */
function draws(n: number, k: number): number[][] {
  if (k === 0) return [[]];
  const drawn: number[][] = [];
  for (let last = k - 1; last < n; last++) {
    for (const rest of draws(last, k - 1)) drawn.push([...rest, last]);
  }
  return drawn;
}

test('both are the share of all draws of k attempts', () => {
  fc.assert(
    fc.property(counts, ([n, c, k]) => {
      const all = draws(n, k);
      const some = all.filter((draw) => draw.some((i) => i < c)).length;
      const every = all.filter((draw) => draw.every((i) => i < c)).length;
      expect(passAtK(n, c, k)).toBeCloseTo(some / all.length, 12);
      expect(passHatK(n, c, k)).toBeCloseTo(every / all.length, 12);
    }),
  );
});

test('more tries never make pass@k fall or pass^k rise; at k = 1 both are c/n', () => {
  fc.assert(
    fc.property(counts, ([n, c, k]) => {
      expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 12);
      expect(passHatK(n, c, 1)).toBeCloseTo(c / n, 12);
      if (k === n) return;
      expect(passAtK(n, c, k + 1)).toBeGreaterThanOrEqual(passAtK(n, c, k));
      expect(passHatK(n, c, k + 1)).toBeLessThanOrEqual(passHatK(n, c, k));
    }),
  );
});

test.each([
  [4, 5, 1],
  [4, -1, 1],
  [4, 1, 0],
  [4, 1, 5],
  [4, 1.5, 1],
])('n=%d c=%d k=%d is refused', (n, c, k) => {
  expect(() => passAtK(n, c, k)).toThrow(RangeError);
  expect(() => passHatK(n, c, k)).toThrow(RangeError);
});

test('over tasks: each weighs the same, and one with too few scored attempts is left out and counted', () => {
  const tasks = [
    { scored: 4, solved: 1 },
    { scored: 2, solved: 2 },
    { scored: 1, solved: 1 },
  ];
  const two = passOver(tasks, 2);
  expect(two.any).toMatchObject({ mean: 0.75, n: 2 });
  expect(two.all).toMatchObject({ mean: 0.5, n: 2 });
  expect(two.shortTasks).toBe(1);
  expect(passOver(tasks, 1).any.mean).toBeCloseTo(0.75, 12);
  expect(passOver(tasks, 5)).toMatchObject({ any: { mean: null }, shortTasks: 3 });
});

test('the levels shown: powers of two and all attempts', () => {
  expect(passLevels(0)).toEqual([]);
  expect(passLevels(1)).toEqual([1]);
  expect(passLevels(4)).toEqual([1, 2, 4]);
  expect(passLevels(6)).toEqual([1, 2, 4, 6]);
});
