import { defineRuntime } from '@vf/core';
import { createBox } from './box/create-box.ts';
import { check } from './check.ts';
import { configSchema } from './config.ts';
import { identities } from './image/identity.ts';
import { removeAll } from './leftovers/exit-hook.ts';
import { sweep } from './leftovers/sweep.ts';

/** A container of its own for each rollout, through the API of a Docker engine. */
export default defineRuntime({
  id: 'docker',
  config: configSchema,
  offers: {
    images: true,
    policies: ['public', 'no-network', 'allowlist'],
    policyChange: true,
    users: true,
    services: true,
  },
  create: createBox,
  check,
  images: identities,
  sweep,
  cleanup: removeAll,
});
