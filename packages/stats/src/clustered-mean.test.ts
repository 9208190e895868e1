import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusteredMean } from './clustered-mean.ts';
import { momentsOf } from './moments.ts';

const over = (groups: readonly (readonly number[])[]) => clusteredMean(groups.map(momentsOf));

/** statsmodels 0.15: OLS(y, 1).fit(cov_type='cluster', cov_kwds={'groups': task}, use_t=True) */
const statsmodels: readonly {
  groups: number[][];
  mean: number;
  error: number;
  interval: [number, number];
}[] = [
  {
    groups: [
      [1, 0, 1, 1],
      [0, 0, 0, 0],
      [1, 1, 1, 0],
      [0, 1],
    ],
    mean: 0.5,
    error: 0.20203050891044216,
    interval: [-0.14295124663662373, 1.142951246636624],
  },
  {
    groups: [[0.25], [0.5], [1], [0], [0.75]],
    mean: 0.5,
    error: 0.1767766952966368,
    interval: [0.009189209630610817, 0.990810790369389],
  },
  {
    groups: [[1, 1, 0], [0]],
    mean: 0.5,
    error: 0.25,
    interval: [-2.6765511840436735, 3.6765511840436735],
  },
  {
    groups: [
      [1, 0, 0, 1],
      [1, 1, 1, 1],
      [1, 1, 0, 0],
      [0, 0, 1, 1],
      [0, 1, 1, 0],
      [1, 0, 1, 1],
    ],
    mean: 0.625,
    error: 0.0853912563829967,
    interval: [0.4054947874197052, 0.8445052125802948],
  },
];

test.each(statsmodels)('agrees with statsmodels: $groups', ({ groups, mean, error, interval }) => {
  const got = over(groups);
  expect(got.mean).toBeCloseTo(mean, 12);
  expect(got.standardError).toBeCloseTo(error, 12);
  expect(got.interval?.[0]).toBeCloseTo(interval[0], 9);
  expect(got.interval?.[1]).toBeCloseTo(interval[1], 9);
  expect(got).toMatchObject({ tasks: groups.length, degrees: groups.length - 1, basis: 'tasks' });
});

describe('small and flat runs', () => {
  test('nothing: no mean', () => {
    expect(over([])).toMatchObject({ mean: null, interval: null, n: 0, tasks: 0, basis: null });
    expect(over([[], []])).toMatchObject({ mean: null, n: 0, tasks: 0 });
  });

  test('one value: a mean without an error', () => {
    expect(over([[0.5]])).toMatchObject({ mean: 0.5, standardError: null, interval: null, n: 1 });
  });

  test('one task: the interval of its attempts (scipy: t.interval(.95, 4, 2.8, sem))', () => {
    const got = over([[3, 1, 4, 1, 5]]);
    expect(got).toMatchObject({ basis: 'attempts', degrees: 4, tasks: 1 });
    expect(got.standardError).toBeCloseTo(0.8, 12);
    expect(got.interval?.[0]).toBeCloseTo(0.5788439158417651, 9);
    expect(got.interval?.[1]).toBeCloseTo(5.021156084158235, 9);
  });

  test('no variation: no error and no interval, also where the value is no binary fraction', () => {
    for (const value of [0, 1, 0.1, -3.3, 1e9 / 3]) {
      const got = over([
        [value, value, value],
        [value, value],
      ]);
      expect(got.standardError).toBe(0);
      expect(got.interval).toBeNull();
    }
  });

  test('tasks without a value are not counted', () => {
    expect(over([[], [1], [0], []])).toMatchObject({ n: 2, tasks: 2, mean: 0.5 });
  });
});

const groups = fc.array(
  fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 1, maxLength: 6 }),
  { minLength: 2, maxLength: 12 },
);

test('the formula, written out naively, gives the same error', () => {
  fc.assert(
    fc.property(groups, (values) => {
      const all = values.flat();
      const mean = all.reduce((sum, x) => sum + x, 0) / all.length;
      const squares = values.map((task) => task.reduce((sum, x) => sum + (x - mean), 0) ** 2);
      const tasks = values.length;
      const variance =
        ((tasks / (tasks - 1)) * squares.reduce((sum, x) => sum + x, 0)) / all.length ** 2;
      const got = over(values);
      expect(got.mean).toBeCloseTo(mean, 9);
      expect(got.standardError).toBeCloseTo(Math.sqrt(variance), 9);
    }),
  );
});

test('order of attempts and of tasks does not matter; a shift moves the interval and keeps its width', () => {
  fc.assert(
    fc.property(groups, fc.double({ min: -5, max: 5, noNaN: true }), (values, shift) => {
      const got = over(values);
      const turned = over(values.map((task) => task.toReversed()).toReversed());
      const moved = over(values.map((task) => task.map((x) => x + shift)));
      expect(turned.mean).toBeCloseTo(got.mean ?? NaN, 9);
      expect(turned.standardError).toBeCloseTo(got.standardError ?? NaN, 9);
      expect(moved.mean).toBeCloseTo((got.mean ?? NaN) + shift, 9);
      expect(moved.standardError).toBeCloseTo(got.standardError ?? NaN, 9);
    }),
  );
});

test('copying every attempt does not make the interval narrower, as it would if they counted as independent', () => {
  fc.assert(
    fc.property(groups, (values) => {
      const copied = over(values.map((task) => [...task, ...task, ...task]));
      expect(copied.standardError).toBeCloseTo(over(values).standardError ?? NaN, 9);
    }),
  );
});

test('a number that is not finite is refused', () => {
  expect(() => momentsOf([1, NaN])).toThrow(RangeError);
  expect(() => momentsOf([Infinity])).toThrow('not Infinity');
});
