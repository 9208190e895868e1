import { expect, test } from 'vitest';
import { estimate, improvement, rewardsOf } from '../src/held-out.ts';

const samples = (rewards: readonly number[]) =>
  rewards.map((reward, at) => ({ task: `sum ${at % 5}`, reward }));

const before = rewardsOf(samples([0, 0, 1, 0, 0, 0, 1, 0, 0, 0]));
const after = rewardsOf(samples([1, 1, 1, 1, 0, 1, 1, 1, 1, 1]));

test('attempts at one sum are one cluster of the interval', () => {
  expect(before.get('sum 1')).toEqual([0, 1]);
  expect(estimate(before)).toMatchObject({ mean: 0.2, n: 10, tasks: 5 });
});

test('before and after are paired by sum', () => {
  const sums = Array.from({ length: 10 }, (_, at) => `sum ${at}`);
  const all = (reward: number) => rewardsOf(sums.map((task) => ({ task, reward })));
  const { difference } = improvement(all(0), all(1));
  expect(difference.mean).toBe(1);
  expect(difference.interval?.[0]).toBeGreaterThan(0.5);
  expect(improvement(before, after).difference.mean).toBeCloseTo(0.7, 12);
  const without = new Map([...after].filter(([task]) => task !== 'sum 0'));
  expect(improvement(before, without).difference.n).toBe(4);
});
