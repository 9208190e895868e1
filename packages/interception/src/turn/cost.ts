import type { Price, Usage } from '@vf/core';

const million = 1_000_000;

/** US dollars of one call: the provider's own figure, else by the price table, else null. */
export function costOf(usage: Usage | null, price: Price | null): number | null {
  if (usage === null) return null;
  if (usage.cost !== undefined) return usage.cost;
  if (price === null) return null;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const rate = price.long !== undefined && inputTokens > price.long.above ? price.long : price;
  const { input, output, cached = input, cacheWrite = input } = rate;
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const read = cachedInputTokens * cached + cacheWriteTokens * cacheWrite;
  return (fresh * input + read + outputTokens * output) / million;
}
