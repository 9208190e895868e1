import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drGrpo, groupAdvantages, grpo, rloo, tokenWeights } from './index.ts';

const close = (values: readonly number[]) =>
  values.map((value): unknown => expect.closeTo(value, 9));

describe('a group of 1, 0, 0, 1, 0.5', () => {
  const rewards = [1, 0, 0, 1, 0.5];

  test('GRPO divides by the standard deviation of a sample', () => {
    // (r - mean(r)) / (torch.std(r) + 1e-6), as verl computes it
    const one = 0.5 / (0.5 + 1e-6);
    expect(groupAdvantages(rewards, grpo)).toEqual(close([one, -one, -one, one, 0]));
  });

  test('with the epsilon of TRL', () => {
    const one = 0.5 / (0.5 + 1e-4);
    expect(groupAdvantages(rewards, { ...grpo, epsilon: 1e-4 })).toEqual(
      close([one, -one, -one, one, 0]),
    );
  });

  test('Dr. GRPO takes the mean alone', () => {
    expect(groupAdvantages(rewards, drGrpo)).toEqual(close([0.5, -0.5, -0.5, 0.5, 0]));
  });

  test('RLOO takes the mean of the others', () => {
    expect(groupAdvantages(rewards, rloo)).toEqual(close([0.625, -0.625, -0.625, 0.625, 0]));
  });
});

test('a rollout without a score has no advantage, and counts for nobody', () => {
  expect(groupAdvantages([1, null, 0], drGrpo)).toEqual([0.5, null, -0.5]);
  expect(groupAdvantages([null, null], grpo)).toEqual([null, null]);
});

test('nothing is learnt where nothing differs', () => {
  for (const method of [grpo, drGrpo, rloo]) {
    expect(groupAdvantages([0.3, 0.3, 0.3], method)).toEqual([0, 0, 0]);
    expect(groupAdvantages([1], method)).toEqual([0]);
    expect(groupAdvantages([1, null], method)).toEqual([0, null]);
    expect(groupAdvantages([], method)).toEqual([]);
  }
});

test('a reward that is no number is refused', () => {
  expect(() => groupAdvantages([1, Number.NaN], grpo)).toThrow(RangeError);
});

const someRewards = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), {
  minLength: 2,
  maxLength: 20,
});

const nth = (values: readonly number[], index: number): number => values[index] ?? Number.NaN;

test('advantages sum up to 0 and keep the order of the rewards', () => {
  fc.assert(
    fc.property(someRewards, fc.constantFrom(grpo, drGrpo, rloo), (rewards, method) => {
      const advantages = groupAdvantages(rewards, method).map((value) => value ?? Number.NaN);
      const sum = advantages.reduce((total, value) => total + value, 0);
      expect(Math.abs(sum)).toBeLessThan(1e-6 * Math.max(1, ...advantages.map(Math.abs)) * 20);
      const byReward = rewards
        .map((_, index) => index)
        .toSorted((a, b) => nth(rewards, a) - nth(rewards, b));
      byReward.slice(1).forEach((higher, index) => {
        const lower = nth(byReward, index);
        expect(nth(advantages, higher)).toBeGreaterThanOrEqual(nth(advantages, lower) - 1e-9);
      });
    }),
  );
});

test('the leave-one-out baseline is the mean of the others', () => {
  fc.assert(
    fc.property(someRewards, (rewards) => {
      fc.pre(new Set(rewards).size > 1);
      const advantages = groupAdvantages(rewards, rloo);
      rewards.forEach((reward, at) => {
        const others = rewards.filter((_, index) => index !== at);
        const mean = others.reduce((total, value) => total + value, 0) / others.length;
        expect(advantages[at]).toBeCloseTo(reward - mean, 8);
      });
    }),
  );
});

describe('weights of tokens in completions of 1, 3 and 0', () => {
  test('each completion the same', () => {
    expect(tokenWeights([1, 3, 0], 'completion')).toEqual([1 / 2, 1 / 6, 0]);
  });

  test('each token the same', () => {
    expect(tokenWeights([1, 3, 0], 'group')).toEqual([1 / 4, 1 / 4, 0]);
  });

  test('each token one of a fixed length', () => {
    expect(tokenWeights([1, 3, 0], { length: 10 })).toEqual([1 / 30, 1 / 30, 0]);
  });
});
