import { defineHarness } from '@vf/core';
import { npmProgram } from '@vf/harness-kit';
import { capabilities, capabilitiesOf } from './capabilities.ts';
import { configSchema } from './config.ts';
import { openCodex } from './open-codex.ts';
import { programOf } from './program.ts';

/** OpenAI's Codex CLI, unmodified. */
export default defineHarness({
  config: configSchema,
  speaks: ['responses'],
  capabilities,
  capabilitiesOf: ({ config }) => capabilitiesOf(config),
  version: ({ version }) => version,
  install: async ({ config, runtime, signal }) => {
    await npmProgram(programOf(config), runtime, signal);
  },
  open: openCodex,
});
