import { z } from '@vf/core';

export const configSchema = z.strictObject({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'an exact version, such as 1.6.0')
    .default('1.6.0')
    .describe('of the npm package @earendil-works/pi-coding-agent'),
  systemPrompt: z
    .enum(['append', 'replace'])
    .default('append')
    .describe("the task's system prompt goes behind pi's own, or takes its place"),
  thinking: z
    .enum(['off', 'minimal', 'low', 'medium', 'high', 'xhigh'])
    .default('off')
    .describe('how much the model is asked to reason'),
  contextWindow: z.number().int().positive().default(200_000).describe('of the model, in tokens'),
  maxOutput: z.number().int().positive().default(32_000).describe('of one reply, in tokens'),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("more keys of pi's settings.json; they win"),
});

export type Config = z.infer<typeof configSchema>;
