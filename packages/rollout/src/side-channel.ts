import type { ExtraUsage, SideChannel, SideModel, Trace } from '@vf/core';
import type { SideModels } from './plan.ts';

/** A side model as a hook of one rollout asks it: what it costs stands on the rollout's trace. */
export function sideChannel(
  sideModels: SideModels,
  declared: SideModel,
  rollout: { readonly trace: Trace; readonly signal: AbortSignal },
): SideChannel {
  const { trace, signal } = rollout;
  const spent = (usage: ExtraUsage): void => void trace.extraUsage.push(usage);
  return {
    ...sideModels.find(declared),
    ask: (question) => sideModels.ask(declared, question, { spent, signal }),
  };
}
