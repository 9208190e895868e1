import { z } from '@vf/core';

const multiplier = z.number().positive().default(1);

export const configSchema = z.strictObject({
  path: z
    .string()
    .optional()
    .describe('a task, a folder of tasks or a checkout with tasks/; with `package`, within it'),
  package: z.string().optional().describe('an installed npm package that ships tasks'),
  tasks: z.array(z.string()).default([]).describe('names of task folders; none: all'),
  rewardKey: z.string().optional().describe('the key of reward.json that is the reward'),
  buildTimeoutMultiplier: multiplier.describe('stretches environment.build_timeout_sec'),
  agentTimeoutMultiplier: multiplier.describe('stretches agent.timeout_sec'),
  verifierTimeoutMultiplier: multiplier.describe('stretches verifier.timeout_sec'),
});

export type Config = z.infer<typeof configSchema>;
