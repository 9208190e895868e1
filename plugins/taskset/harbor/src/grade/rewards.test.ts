import { expect, test } from 'vitest';
import { combine, reaches } from './rewards.ts';

test('the mean counts an absent key as 0, and only steps that were played', () => {
  const steps = [{ reward: 1 }, { reward: 1, count_ok: 1 }];
  expect(combine(steps, 'mean')).toEqual({ reward: 1, count_ok: 0.5 });
  expect(combine([{ reward: 0 }], 'mean')).toEqual({ reward: 0 });
  expect(combine([], 'mean')).toEqual({});
});

test('the final strategy takes the last step that was played', () => {
  expect(combine([{ reward: 1, a: 1 }, { reward: 0.5 }], 'final')).toEqual({ reward: 0.5 });
});

test('a gate holds for each key, and an absent key is below any', () => {
  expect(reaches({ reward: 1 }, {})).toBe(true);
  expect(reaches({ reward: 1 }, { reward: 1 })).toBe(true);
  expect(reaches({ reward: 0.9 }, { reward: 1 })).toBe(false);
  expect(reaches({ reward: 1 }, { reward: 0, style: -5 })).toBe(false);
  expect(reaches({ reward: 1 }, { constructor: 0 })).toBe(false);
});
