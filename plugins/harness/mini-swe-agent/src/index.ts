import { defineHarness } from '@vf/core';
import { pythonProgram } from '@vf/harness-kit';
import { configSchema } from './config.ts';
import { openMini } from './open-mini.ts';
import { programOf } from './program.ts';
import { dialects } from './settings.ts';

/** mini-SWE-agent, unmodified. */
export default defineHarness({
  config: configSchema,
  speaks: dialects,
  capabilities: { systemPrompt: 'append' },
  version: ({ version }) => version,
  install: async ({ config, runtime, signal }) => {
    await pythonProgram(programOf(config), runtime, signal);
  },
  open: openMini,
});
