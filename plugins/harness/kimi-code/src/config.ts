import { z } from '@vf/core';

export const configSchema = z.strictObject({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'an exact version, such as 2.1.0')
    .default('2.1.0')
    .describe('of the npm package @moonshot-ai/kimi-code'),
  systemPrompt: z
    .enum(['append', 'replace'])
    .default('append')
    .describe("the task's system prompt goes behind Kimi Code's own, or takes its place"),
  contextWindow: z
    .number()
    .int()
    .positive()
    .default(200_000)
    .describe('of the model, in tokens; Kimi Code compacts before it is full'),
  maxSteps: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("Kimi Code's own bound on the model calls of one user turn"),
});

export type Config = z.infer<typeof configSchema>;
