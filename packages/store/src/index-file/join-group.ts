import type { GroupRecord } from '../group-record.ts';
import type { IndexEntry } from '../index-entry.ts';

/**
 * Adds the scores that an episode got with its group. One of them missing leaves the episode unscored;
 * an entry of another task or attempt stays as it is.
 */
export function joinGroup(entry: IndexEntry, group: GroupRecord): IndexEntry {
  const at = group.task === entry.task ? group.attempts.indexOf(entry.attempt) : -1;
  if (at < 0) return entry;
  const given = Object.entries(group.rewards).map(([name, { scores, ...reward }]) => ({
    ...reward,
    name,
    score: scores[at] ?? null,
  }));
  const hasOwn = Object.keys(entry.rewards).length > 0;
  const own = entry.ok && !hasOwn ? 0 : entry.reward;
  const isScored = own !== null && given.every(({ score }) => score !== null);
  const added = given.reduce((sum, { weight, score }) => sum + weight * (score ?? 0), 0);
  const failure = given.find(({ score, error }) => score === null && error !== undefined);
  return {
    ...entry,
    reward: isScored ? own + added : null,
    rewards: {
      ...entry.rewards,
      ...Object.fromEntries(given.map(({ name, score }) => [name, score])),
    },
    weights: {
      ...entry.weights,
      ...Object.fromEntries(given.map(({ name, weight }) => [name, weight])),
    },
    error: isScored
      ? null
      : (entry.error ?? (failure === undefined ? null : scoringError(failure))),
  };
}

/** `scoring/hook_failed: text` as a code and its message. */
function scoringError({
  error: text = '',
  at,
}: {
  readonly error?: string;
  readonly at?: string;
}): NonNullable<IndexEntry['error']> {
  const [, code, message] = /^([a-z_]+\/[a-z_]+): (.*)$/s.exec(text) ?? [];
  return {
    code: code ?? 'scoring/hook_failed',
    message: message ?? text,
    phase: 'scoring',
    ...(at === undefined ? {} : { at }),
  };
}
