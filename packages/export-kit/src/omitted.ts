import type { Episode, Omission, Trace } from '@vf/core';

/** Why a trace, or an episode, is left out. */
export type Reason = Pick<Omission, 'reason' | 'detail'>;

/** The omission of a trace, or with null of its whole episode. */
export function omissionOf(episode: Episode, trace: Trace | null, reason: Reason): Omission {
  return {
    episode: episode.id,
    task: episode.task.key,
    attempt: episode.attempt,
    ...(trace === null ? {} : { trace: trace.id, agent: trace.agent.name }),
    ...reason,
  };
}
