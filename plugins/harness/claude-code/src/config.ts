import { z } from '@vf/core';

export const configSchema = z.strictObject({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'an exact version, such as 2.1.332')
    .default('2.1.332')
    .describe('of the npm package @anthropic-ai/claude-code'),
  systemPrompt: z
    .enum(['append', 'replace'])
    .default('append')
    .describe("the task's system prompt goes behind Claude Code's own, or takes its place"),
  extraTools: z
    .boolean()
    .default(true)
    .describe('false leaves Bash, Read, Edit, Write, Glob and Grep'),
  contextWindow: z
    .number()
    .int()
    .positive()
    .default(200_000)
    .describe('of the model, in tokens; Claude Code would take an unknown one for 1,000,000'),
  maxTurns: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("Claude Code's own bound on the model calls of one user turn"),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("more keys of Claude Code's settings.json; they win"),
});

export type Config = z.infer<typeof configSchema>;
