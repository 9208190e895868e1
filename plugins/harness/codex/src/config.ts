import { z } from '@vf/core';

export const configSchema = z.strictObject({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'an exact version, such as 0.171.0')
    .default('0.171.0')
    .describe('of the npm package @openai/codex'),
  systemPrompt: z
    .enum(['append', 'replace'])
    .default('append')
    .describe("the task's system prompt goes behind Codex's own, or takes its place"),
  extraTools: z
    .boolean()
    .default(true)
    .describe('false leaves the shell and little else: no sub-agents, goals or web search'),
  reasoningEffort: z.string().optional().describe('as Codex spells it: low, medium, high, …'),
  contextWindow: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("of the model, in tokens; default: Codex's guess"),
  compactAt: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('tokens in use at which Codex compacts; default: about 90 % of the window'),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("more keys of Codex's config.toml; they win"),
});

export type Config = z.infer<typeof configSchema>;
