import { describe, expect, test } from 'vitest';
import { batchOf, isLearnt } from '../src/batch.ts';
import type { BatchSample } from '../src/batch.ts';

function sample(group: string, reward: number, ids: readonly number[]): BatchSample {
  const logprobs = ids.map(() => -0.5);
  const env_mask = ids.map(() => 1 as const);
  return { group, reward, prompt_ids: [1, 2], completion_ids: ids, env_mask, logprobs };
}

describe('a batch', () => {
  test('same samples of a group are one row that counts as often as they are', () => {
    const right = sample('a', 1, [7, 2]);
    const samples = [right, sample('a', 0, [8, 2]), right, sample('a', 0, [9, 2])];
    const { rows, rowOf } = batchOf(samples, 10);
    expect(rowOf).toEqual([0, 1, 0, 2]);
    expect(rows).toHaveLength(3);
    expect(rows[0]?.advantage).toBeCloseTo(-(rows[1]?.advantage ?? 0) * 2, 12);
    // Standard deviation of a sample of 1, 0, 1, 0.
    expect(rows[1]?.advantage).toBeCloseTo(-0.5 / Math.sqrt(1 / 3) / (4 * 10), 6);
  });

  test('groups that all got the same are not learnt, whatever they got', () => {
    const all = [
      sample('a', 1, [7]),
      sample('a', 1, [8]),
      sample('b', 0, [7]),
      sample('b', 0, [8]),
    ];
    const { rows } = batchOf(all, 4);
    expect(rows).toHaveLength(4);
    expect(rows.filter(isLearnt)).toEqual([]);
  });

  test('groups count the same', () => {
    const pair = (group: string): BatchSample[] => [sample(group, 1, [7]), sample(group, 0, [8])];
    const one = batchOf(pair('a'), 4).rows[0]?.advantage ?? 0;
    const two = batchOf([...pair('a'), ...pair('b')], 4).rows[0]?.advantage ?? 0;
    expect(two).toBeCloseTo(one / 2, 12);
  });
});
