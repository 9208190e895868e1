import type { Episode, Trace } from '@vf/core';
import type { Trajectory } from '@vf/export-kit';
import { trajectoryOf as documentOf } from '@vf/export-kit';
import type { Config } from './config.ts';

/**
 * The trace as a document, with how the rollout came out; null for a trace without a message.
 */
export function trajectoryOf(
  episode: Episode,
  trace: Trace,
  { tokens }: Config,
): Trajectory | null {
  return documentOf(trace, { tokens, session: episode.id, extra: outcomeOf(episode, trace) });
}

/** The format has no field for a score; null is a rollout without one. */
function outcomeOf(episode: Episode, trace: Trace): Readonly<Record<string, unknown>> {
  return {
    task: episode.task.key,
    attempt: episode.attempt,
    episode: episode.id,
    reward: episode.errors.length > 0 ? null : trace.reward,
    rewards: Object.fromEntries(
      Object.entries(trace.rewards).map(([name, record]) => [name, record?.score ?? null]),
    ),
    ok: trace.ok,
    stop: trace.stopCondition,
    errors: [...episode.errors, ...trace.errors].map(({ type, message }) => ({ type, message })),
  };
}
