import { defineRuntime } from '@vf/core';
import { createBox } from './box/create-box.ts';
import { configSchema } from './config.ts';
import { sweep } from './leftovers/sweep.ts';

/** Programs on this machine, each rollout in a folder and process groups of its own. No isolation beyond that. */
export default defineRuntime({
  id: 'subprocess',
  config: configSchema,
  offers: {
    images: false,
    policies: ['public'],
    policyChange: false,
    users: false,
    services: false,
  },
  create: createBox,
  sweep,
});
