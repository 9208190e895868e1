import type { Trace } from '@vf/core';

const infoKey = 'given_rewards';

/** Gives a trace a reward that is not the taskset's own: by its environment, or by a tool that ended the rollout. */
export function giveReward(trace: Trace, name: string, score: number | null, weight = 1): void {
  trace.rewards[name] = score === null ? null : { score, weight };
  trace.info[infoKey] = [...new Set([...givenRewards(trace), name])];
}

/** Names of the rewards that scoring again must keep. */
export function givenRewards(trace: Trace): readonly string[] {
  const names = trace.info[infoKey];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
