import type { Price, Usage } from '@vf/core';

const million = 1_000_000;

/** US dollars of one call: the provider's own figure, else by the price table, else null. */
export function costOf(usage: Usage | null, price: Price | null): number | null {
  if (usage === null) return null;
  if (usage.cost !== undefined) return usage.cost;
  if (price === null) return null;
  const cached = usage.cachedInputTokens ?? 0;
  const input = (usage.inputTokens - cached) * price.input + cached * (price.cached ?? price.input);
  return (input + usage.outputTokens * price.output) / million;
}
