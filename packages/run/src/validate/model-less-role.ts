import { SendFailed } from '@vf/core/errors';
import type { RolePlan } from '@vf/rollout';

/** A role whose agent performs the reference solution where there is one, and else does nothing at all. */
export function modelLessRole(runtime: RolePlan['runtime']): RolePlan {
  return {
    name: 'agent',
    trainable: false,
    scored: true,
    harness: {
      id: 'nobody',
      version: null,
      config: {},
      env: {},
      spec: {
        speaks: [],
        capabilities: { callsModel: false },
        open: async ({ reference }) => ({
          turn: async (_prompt, turnSignal) => {
            const solution = await reference?.(turnSignal);
            return { status: 'completed', ...solution };
          },
          close: async () => undefined,
        }),
      },
    },
    dialect: '',
    runtime,
    model: '',
    client: {
      send: () => Promise.reject(new SendFailed('unreachable', 'validating calls no model')),
    },
    sampling: {},
    price: null,
    limits: {},
    timeouts: {},
    timeoutMultiplier: 1,
    retries: { maxRetries: 2, rules: [], baseDelayMs: 1_000, maxDelayMs: 10_000 },
    keepFailedBoxes: false,
  };
}
