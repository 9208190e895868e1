import { z } from '@vf/core';

export const config = z.strictObject({
  rows: z
    .enum(['rollouts', 'turns'])
    .default('rollouts')
    .describe('one row for each rollout, or for each reply of the model'),
});

export type Config = z.infer<typeof config>;
