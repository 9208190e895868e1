import type { ReadReply, SampledToken, TurnTokens } from '@vf/core';
import type { Tokenizer } from '@vf/renderers';

/** The tokens of a reply for an agent that asks for them; nothing where no tokenizer says what they cover. */
export function toldTokens(
  tokenizer: Pick<Tokenizer, 'bytes'> | null | undefined,
  { completionIds, logprobs }: Pick<TurnTokens, 'completionIds' | 'logprobs'>,
): Pick<ReadReply, 'sampled'> {
  if (tokenizer == null) return {};
  return {
    *sampled(): Generator<SampledToken> {
      for (const [at, id] of completionIds.entries())
        yield { bytes: tokenizer.bytes(id), logprob: logprobs[at] as number };
    },
  };
}
