import { defineHarness } from '@vf/core';
import { npmProgram } from '@vf/harness-kit';
import { configSchema } from './config.ts';
import { openKimi } from './open-kimi.ts';
import { programOf } from './program.ts';
import { dialects } from './environment.ts';

/** Kimi Code, unmodified. */
export default defineHarness({
  config: configSchema,
  speaks: dialects,
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
  open: openKimi,
});
