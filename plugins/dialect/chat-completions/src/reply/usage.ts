import type { Usage } from '@vf/core';
import { isObject, numberOf, objectOf, present } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/**
 * Usage of a reply or a chunk: `usage`, or where Moonshot (`choices[].usage`) and Groq (`x_groq.usage`) put it.
 * `null` when it holds no counts.
 */
export function usageOf(reply: JsonObject, choice: JsonObject): Usage | null {
  const usage = [reply['usage'], choice['usage'], objectOf(reply['x_groq'])['usage']].find(
    isObject,
  );
  return usage === undefined ? null : readUsage(usage);
}

function readUsage(usage: JsonObject): Usage | null {
  const inputTokens = numberOf(usage['prompt_tokens']);
  const outputTokens = numberOf(usage['completion_tokens']);
  if (inputTokens === null && outputTokens === null) return null;
  const prompt = objectOf(usage['prompt_tokens_details']);
  const completion = objectOf(usage['completion_tokens_details']);
  return present<Usage>({
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cachedInputTokens:
      numberOf(prompt['cached_tokens']) ??
      numberOf(usage['prompt_cache_hit_tokens']) ??
      numberOf(usage['cached_tokens']),
    cacheWriteTokens: numberOf(prompt['cache_write_tokens']),
    reasoningTokens:
      numberOf(completion['reasoning_tokens']) ?? numberOf(usage['reasoning_tokens']),
    cost: numberOf(usage['cost']),
  });
}

export function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cost } = usage;
  const prompt = present({
    cached_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
  });
  const completion = present({ reasoning_tokens: usage.reasoningTokens });
  return present({
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: Object.keys(prompt).length === 0 ? null : prompt,
    completion_tokens_details: Object.keys(completion).length === 0 ? null : completion,
    cost,
  });
}
