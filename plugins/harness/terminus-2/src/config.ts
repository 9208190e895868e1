import { z } from '@vf/core';

const count = z.number().int().positive();

export const configSchema = z.strictObject({
  parser: z.enum(['json', 'xml']).default('json').describe('the form in which the model answers'),
  maxTurns: count.optional().describe('model calls of one user turn; default: no bound'),
  summarize: z
    .boolean()
    .default(true)
    .describe('sum the conversation up before the context is full'),
  contextWindow: count.default(200_000).describe('of the model, in tokens'),
  freeTokens: count
    .default(8000)
    .describe('the conversation is summed up when fewer tokens than these are free'),
  paneWidth: count.default(160).describe('columns of the terminal'),
  paneHeight: count.default(40).describe('rows of the terminal'),
  maxOutput: z
    .number()
    .int()
    .min(1000)
    .default(10_000)
    .describe('bytes of the terminal that the model sees at once; the middle of more is left out'),
});

export type Config = z.infer<typeof configSchema>;
