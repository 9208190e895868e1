import type { IndexEntry } from '@vf/store';

/** An entry of the index of a finished, scored episode. */
export function entry(about: Partial<IndexEntry> = {}): IndexEntry {
  return {
    episode: 'e-1',
    task: 'sum-1',
    hash: '0'.repeat(64),
    attempt: 1,
    offset: 0,
    length: 10,
    ok: true,
    reward: 1,
    rewards: { correct: 1 },
    weights: { correct: 1 },
    metrics: {},
    stop: 'agent_completed',
    isTimeout: false,
    isTruncated: false,
    error: null,
    retries: 0,
    turns: 1,
    inputTokens: 10,
    cachedInputTokens: 0,
    outputTokens: 5,
    cost: null,
    start: 1_700_000_000,
    end: 1_700_000_001,
    agentSeconds: 1,
    modelSeconds: 1,
    ...about,
  };
}
