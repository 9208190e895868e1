import { z } from '@vf/core';

export const config = z.object({
  /** Attempts at each task. */
  n: z.number().int().positive().default(4),
  /** At the same time, or one after the other until one gets full marks. */
  order: z.enum(['parallel', 'until-solved']).default('parallel'),
  /** The reward from which a rollout counts as solved. */
  solvedAt: z.number().default(1),
});

export type BestOfConfig = z.output<typeof config>;
