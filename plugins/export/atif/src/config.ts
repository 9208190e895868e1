import { z } from '@vf/core';

export const config = z.strictObject({
  tokens: z
    .boolean()
    .default(false)
    .describe('token ids and logprobs of each call, where the trace has them'),
});

export type Config = z.infer<typeof config>;
