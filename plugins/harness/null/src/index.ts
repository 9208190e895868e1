import { defineHarness, z } from '@vf/core';
import { hostDialects, hostLoop } from '@vf/harness-kit';

/** Asks the model once for each user turn, and again while it calls the task's tools. No program, no shell. */
export default defineHarness({
  config: z.strictObject({
    maxTurns: z
      .number()
      .int()
      .positive()
      .default(50)
      .describe('model calls of one user turn; more than one only when the task has tools'),
    stream: z.boolean().default(false).describe('ask for streamed replies'),
  }),
  speaks: hostDialects,
  capabilities: { hostTools: true, systemPrompt: 'separate', resume: true, messages: true },
  open: async (ctx) => hostLoop({ ctx, maxTurns: ctx.config.maxTurns, stream: ctx.config.stream }),
});
