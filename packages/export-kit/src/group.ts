import type { Episode, Trace } from '@vf/core';

const plainEnvironments: ReadonlySet<string> = new Set(['', 'single']);

/**
 * Names what is compared with each other: the attempts at one task, by one agent. Group-relative advantages are taken
 * within it.
 */
export function groupOf(episode: Episode, trace: Trace): string {
  const { key } = episode.task;
  return plainEnvironments.has(episode.env.id) ? key : `${key}/${trace.agent.name}`;
}
