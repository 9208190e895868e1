import { z } from '@vf/core';

export const configSchema = z.strictObject({
  version: z
    .string()
    .regex(/^2\.\d+\.\d+([abr]c?\d+)?$/, 'an exact version of 2.x, such as 2.4.6')
    .default('2.4.6')
    .describe('of the Python package mini-swe-agent'),
  systemPrompt: z
    .enum(['append', 'replace'])
    .default('append')
    .describe("the task's system prompt goes behind mini-SWE-agent's own, or takes its place"),
  maxSteps: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("mini-SWE-agent's own bound on its model calls"),
  commandTimeout: z
    .number()
    .int()
    .positive()
    .default(30)
    .describe('seconds after which a command is killed'),
  config: z
    .string()
    .default('mini.yaml')
    .describe('the configuration that it starts from: one of its own, or a path in the box'),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('more keys of its configuration (agent, environment, model); they win'),
});

export type Config = z.infer<typeof configSchema>;
