import { defineHarness } from '@vf/core';
import { npmProgram } from '@vf/harness-kit';
import { configSchema } from './config.ts';
import { openClaude } from './open-claude.ts';
import { programOf } from './program.ts';

/** Anthropic's Claude Code, unmodified. */
export default defineHarness({
  config: configSchema,
  speaks: ['messages'],
  capabilities: {
    mcp: true,
    taskMcp: ['stdio', 'sse', 'streamable-http'],
    systemPrompt: 'append',
    resume: true,
    skills: true,
  },
  version: ({ version }) => version,
  install: async ({ config, runtime, signal }) => {
    await npmProgram(programOf(config), runtime, signal);
  },
  open: openClaude,
});
