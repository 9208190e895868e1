import { defineHarness } from '@vf/core';
import { npmProgram } from '@vf/harness-kit';
import { configSchema } from './config.ts';
import { openCodex } from './open-codex.ts';
import { programOf } from './program.ts';

/** OpenAI's Codex CLI, unmodified. */
export default defineHarness({
  config: configSchema,
  speaks: ['responses'],
  capabilities: {
    mcp: true,
    taskMcp: ['stdio', 'streamable-http'],
    systemPrompt: 'append',
    resume: true,
    skills: true,
  },
  version: ({ version }) => version,
  install: async ({ config, runtime, signal }) => {
    await npmProgram(programOf(config), runtime, signal);
  },
  open: openCodex,
});
