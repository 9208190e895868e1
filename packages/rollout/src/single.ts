import type { EnvironmentSpec } from '@vf/core';

/** The default environment: one agent, one task, one rollout. */
export const single: EnvironmentSpec<{ agent: {} }, {}, {}, {}> = {
  roles: { agent: {} },
  async play({ task, agents }) {
    await agents.agent.run(task);
  },
};
