import { z } from '@vf/core';

const systemPrompt = `You work on a task in a folder of a machine that you reach only through the tool "bash".
Look before you change anything, do what is asked, check that it worked, and then say in a sentence what you did.
Nobody answers questions; decide yourself. You are done when you reply without calling a tool.`;

export const configSchema = z.strictObject({
  maxTurns: z.number().int().positive().default(100).describe('model calls of one user turn'),
  commandTimeout: z
    .number()
    .positive()
    .default(120)
    .describe('seconds after which a command is killed'),
  maxOutput: z
    .number()
    .int()
    .min(1000)
    .default(20_000)
    .describe('bytes of a command that the model sees; the middle of longer output is left out'),
  systemPrompt: z
    .string()
    .default(systemPrompt)
    .describe('said before the system prompt of the task'),
  stream: z.boolean().default(false).describe('ask for streamed replies'),
});

export type Config = z.infer<typeof configSchema>;
