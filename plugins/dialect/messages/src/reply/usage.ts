import type { Usage } from '@vf/core';
import { numberOf, objectOf, present } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Later counts of a stream are cumulative and win, except where they are null. */
export function mergeUsage(usage: JsonObject, later: unknown): JsonObject {
  const said = Object.entries(objectOf(later)).filter(([, value]) => value != null);
  return said.length === 0 ? usage : { ...usage, ...Object.fromEntries(said) };
}

/**
 * Canonical usage of the three disjoint input buckets. Counts of zero everywhere mean that nobody counted: no reply
 * takes no tokens.
 */
export function usageOf(usage: JsonObject): Usage | null {
  const cached = numberOf(usage['cache_read_input_tokens']);
  const cacheWrite = numberOf(usage['cache_creation_input_tokens']);
  const inputTokens = (numberOf(usage['input_tokens']) ?? 0) + (cached ?? 0) + (cacheWrite ?? 0);
  const outputTokens = numberOf(usage['output_tokens']) ?? 0;
  if (inputTokens === 0 && outputTokens === 0) return null;
  return present<Usage>({
    inputTokens,
    outputTokens,
    cachedInputTokens: cached,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: numberOf(objectOf(usage['output_tokens_details'])['thinking_tokens']),
    cost: numberOf(usage['cost']),
  });
}

export const noUsage: JsonObject = { input_tokens: 0, output_tokens: 0 };

export function writeUsage(usage: Usage | null): JsonObject {
  if (usage === null) return noUsage;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens, cost } =
    usage;
  return present({
    input_tokens: Math.max(0, inputTokens - (cachedInputTokens ?? 0) - (cacheWriteTokens ?? 0)),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    output_tokens_details:
      reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    cost,
  });
}
