import { z } from '@vf/core';

export const configSchema = z.strictObject({
  dir: z
    .string()
    .optional()
    .describe('folder under which the rollouts get theirs; default: one in the temp folder'),
});

export type Config = z.infer<typeof configSchema>;
