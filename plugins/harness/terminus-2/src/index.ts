import { defineHarness } from '@vf/core';
import { hostDialects } from '@vf/harness-kit';
import { configSchema } from './config.ts';
import { openTerminus } from './open-terminus.ts';
import { installTmux } from './terminal/tmux.ts';

/** The loop of Terminus 2, in our process, over a terminal in the rollout's box. */
export default defineHarness({
  config: configSchema,
  speaks: hostDialects,
  capabilities: { systemPrompt: 'prompt', resume: true, skills: true },
  install: async ({ runtime, signal }) => {
    await installTmux(runtime, signal);
  },
  open: openTerminus,
});
