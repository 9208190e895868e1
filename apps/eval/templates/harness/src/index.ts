import { defineHarness, z } from '@vf/core';
import { hostDialects, hostLoop } from '@vf/harness-kit';
import { bash } from './bash.ts';

const systemPrompt = `You work in a folder that you reach through the tool "bash". Do what is asked, check that it
worked, and say in a sentence what you did. You are done when you reply without calling a tool.`;

// A loop of model calls in vf's own process. An agent that is a program of its own goes through cliSession instead:
// see the README of @vf/harness-kit.
export default defineHarness({
  config: z.strictObject({
    maxTurns: z.number().int().positive().default(50).describe('model calls of one user turn'),
  }),
  speaks: hostDialects,
  capabilities: { hostTools: true, systemPrompt: 'append', resume: true, messages: true },
  open: async (ctx) =>
    hostLoop({
      ctx,
      maxTurns: ctx.config.maxTurns,
      stream: false,
      systemPrompt,
      tools: [bash(ctx)],
    }),
});
