import { defineHarness } from '@vf/core';
import { hostDialects, hostLoop } from '@vf/harness-kit';
import { configSchema } from './config.ts';
import { shellTool } from './shell-tool.ts';

/** A loop of model calls with one tool, a shell in the rollout's box. The loop itself runs in our process. */
export default defineHarness({
  config: configSchema,
  speaks: hostDialects,
  capabilities: { hostTools: true, systemPrompt: 'append', resume: true, messages: true },
  open: async (ctx) =>
    hostLoop({
      ctx,
      maxTurns: ctx.config.maxTurns,
      stream: ctx.config.stream,
      systemPrompt: ctx.config.systemPrompt,
      tools: [shellTool(ctx)],
    }),
});
