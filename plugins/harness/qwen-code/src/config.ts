import { z } from '@vf/core';

export const configSchema = z.strictObject({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'an exact version, such as 0.24.4')
    .default('0.24.4')
    .describe('of the npm package @qwen-code/qwen-code'),
  systemPrompt: z
    .enum(['append', 'replace'])
    .default('append')
    .describe("the task's system prompt goes behind Qwen Code's own, or takes its place"),
  contextWindow: z
    .number()
    .int()
    .positive()
    .default(200_000)
    .describe('of the model, in tokens; Qwen Code compacts before it is full'),
  maxTurns: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("Qwen Code's own bound on the model calls of one user turn"),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("more keys of Qwen Code's settings.json; they win"),
});

export type Config = z.infer<typeof configSchema>;
