import type { Usage } from '@vf/core';
import { isObject, numberOf, objectOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Tokens of a response; servers may leave the details out. */
export function usageOf(raw: unknown): Usage | null {
  if (!isObject(raw)) return null;
  const input = objectOf(raw['input_tokens_details']);
  const output = objectOf(raw['output_tokens_details']);
  return {
    inputTokens: numberOf(raw['input_tokens']) ?? 0,
    outputTokens: numberOf(raw['output_tokens']) ?? 0,
    ...optional('cachedInputTokens', input['cached_tokens']),
    ...optional('cacheWriteTokens', input['cache_write_tokens']),
    ...optional('reasoningTokens', output['reasoning_tokens']),
    ...optional('cost', raw['cost']),
  };
}

type Detail = 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens' | 'cost';

function optional(key: Detail, value: unknown): { readonly [Key in Detail]?: number } {
  const found = numberOf(value);
  return found === null ? {} : { [key]: found };
}

/** The `usage` of a response. Codex and the SDKs want the details counted: what is not known is 0 to them. */
export function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cost } = usage;
  const { cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedInputTokens,
      cache_write_tokens: cacheWriteTokens,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
    ...(cost === undefined ? {} : { cost }),
  };
}
