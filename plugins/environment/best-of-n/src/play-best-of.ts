import type { PlayCtx, Rollout } from '@vf/core';
import type { BestOfConfig } from './config.ts';

type Ctx = PlayCtx<{ solver: object }, BestOfConfig, object>;

/** Each attempt is a rollout of the episode; the best one's reward is the episode's. */
export async function playBestOf({ task, agents, config, signal, choose }: Ctx): Promise<void> {
  const { n, solvedAt } = config;
  const rollouts: Rollout[] = [];
  const attempt = async (): Promise<Rollout> => {
    const rollout = await agents.solver.run(task);
    rollouts.push(rollout);
    return rollout;
  };
  if (config.order === 'parallel') await Promise.all(Array.from({ length: n }, attempt));
  else while (rollouts.length < n && !signal.aborted && !isSolved(await attempt(), solvedAt));
  const best = bestOf(rollouts);
  if (best !== null) choose(best);
}

function isSolved({ trace }: Rollout, solvedAt: number): boolean {
  return trace.reward !== null && trace.reward >= solvedAt;
}

/** The first of those with the highest reward; null when none was scored. */
function bestOf(rollouts: readonly Rollout[]): Rollout | null {
  let best: Rollout | null = null;
  for (const rollout of rollouts) {
    const { reward } = rollout.trace;
    if (reward !== null && (best === null || reward > (best.trace.reward ?? -Infinity)))
      best = rollout;
  }
  return best;
}
