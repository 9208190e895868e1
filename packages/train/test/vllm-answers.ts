import { array, constantFrom, float, integer, nat, oneof, option, record } from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** Tokens as vLLM writes them. */
const token = record({
  token_id: nat(200_000),
  logprob: oneof(
    float({ noNaN: true, noDefaultInfinity: true, max: 0 }),
    constantFrom(-9999, 0, -0),
  ),
  rank: option(integer({ min: 1, max: 200_000 })),
});

/** Its candidates: the token itself, others, or none. */
const entry = record({
  token,
  others: array(token, { maxLength: 2 }),
  isFirst: constantFrom(0, 1),
}).map(({ token: chosen, others, isFirst }) => ({
  ...chosen,
  top_logprobs: [...(isFirst === 1 ? [chosen] : []), ...others],
}));

/** Choices with up to so many tokens. */
export function choices(most: number): Arbitrary<object> {
  const masked = record({ content: array(entry, { maxLength: most }), isMasked: nat(3) });
  return masked.map(({ content, isMasked }) => ({
    index: 0,
    token_ids: content.map((told) => told.token_id),
    routed_experts: null,
    logprobs: { content },
    finish_reason: 'stop',
    ...(isMasked === 0 ? { sampling_mask: content.map((told) => [told.token_id]) } : {}),
  }));
}
