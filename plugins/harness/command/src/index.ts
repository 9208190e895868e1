import { defineHarness } from '@vf/core';
import { configSchema } from './config.ts';
import { installCommand } from './install.ts';
import { openCommand } from './open-command.ts';
import { capabilitiesOf, problemsOf } from './settings.ts';

/** Any agent that is a command-line program, described in the config. */
export default defineHarness({
  config: configSchema,
  speaks: ({ dialect }) => [dialect],
  capabilities: {},
  name: ({ name }) => name,
  version: ({ version }) => version ?? null,
  capabilitiesOf,
  check: problemsOf,
  install: installCommand,
  open: openCommand,
});
