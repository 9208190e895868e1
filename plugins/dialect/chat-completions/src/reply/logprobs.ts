import type { ReadReply, Settings } from '@vf/core';
import type { JsonObject } from '@vf/core/dialect';

const utf8 = new TextDecoder();

/** All that was sampled, marks of calls and of thoughts among it, as vLLM tells it; null: it was not asked for. */
export function writeLogprobs(
  { extra = {} }: Settings,
  { sampled }: Pick<ReadReply, 'sampled'>,
): JsonObject | null {
  if (extra['logprobs'] !== true || sampled === undefined) return null;
  const content = Array.from(sampled(), ({ bytes, logprob }) => ({
    token: utf8.decode(bytes),
    logprob,
    bytes: [...bytes],
    top_logprobs: [],
  }));
  return { content, refusal: null };
}
