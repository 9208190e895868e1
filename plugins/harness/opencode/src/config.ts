import { z } from '@vf/core';

export const configSchema = z.strictObject({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'an exact version, such as 1.18.33')
    .default('1.18.33')
    .describe('of the npm package opencode-ai'),
  systemPrompt: z
    .enum(['append', 'replace'])
    .default('append')
    .describe("the task's system prompt goes behind opencode's own, or takes its place"),
  subAgents: z.boolean().default(true).describe('false takes the tool away that starts them'),
  contextWindow: z
    .number()
    .int()
    .positive()
    .default(200_000)
    .describe('of the model, in tokens; opencode compacts before it is full'),
  maxOutput: z.number().int().positive().default(32_000).describe('of one reply, in tokens'),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("more keys of opencode's opencode.json; they win"),
});

export type Config = z.infer<typeof configSchema>;
