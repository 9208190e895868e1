import { expect, test } from 'vitest';
import { costOf } from './cost.ts';

const price = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 };
const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };

test.each([
  ['fresh tokens', usage, price, 3 + 1.5],
  ['cache reads', { ...usage, cachedInputTokens: 800_000 }, price, 0.6 + 0.24 + 1.5],
  [
    'cache writes beside reads',
    { ...usage, cachedInputTokens: 500_000, cacheWriteTokens: 400_000 },
    price,
    0.3 + 0.15 + 1.5 + 1.5,
  ],
  [
    'cache without a price of its own, as input',
    { ...usage, cachedInputTokens: 500_000, cacheWriteTokens: 400_000 },
    { input: 3, output: 15 },
    4.5,
  ],
  ['what the provider says itself', { ...usage, cost: 0.07 }, price, 0.07],
  [
    'a long prompt, whole',
    usage,
    { ...price, long: { above: 200_000, input: 6, output: 22.5 } },
    6 + 2.25,
  ],
  [
    'a prompt that is not longer',
    { ...usage, inputTokens: 200_000 },
    { ...price, long: { above: 200_000, input: 6, output: 22.5 } },
    0.6 + 1.5,
  ],
])('%s', (_, used, at, dollars) => {
  expect(costOf(used, at)).toBeCloseTo(dollars, 12);
});

test('unknown usage and unknown price are an unknown cost, not 0', () => {
  expect(costOf(null, price)).toBeNull();
  expect(costOf(usage, null)).toBeNull();
});
