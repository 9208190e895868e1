import { z } from '@vf/core';

export const config = z.strictObject({
  rows: z
    .enum(['rollouts', 'turns', 'samples'])
    .default('rollouts')
    .describe('one row for each rollout, for each reply of the model, or for each training sample'),
});

export type Config = z.infer<typeof config>;
