import type { IndexEntry } from '../index-entry.ts';

/** An entry as its line has it. */
export interface EntryRecord extends EntryStart {
  readonly is_timeout: boolean;
  readonly is_truncated: boolean;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly agent_seconds: number;
  readonly model_seconds: number;
}

/** The fields whose names are the same in a line. */
type EntryStart = Omit<
  IndexEntry,
  | 'isTimeout'
  | 'isTruncated'
  | 'inputTokens'
  | 'cachedInputTokens'
  | 'outputTokens'
  | 'agentSeconds'
  | 'modelSeconds'
>;

export function toRecord(entry: IndexEntry): EntryRecord {
  const { isTimeout, isTruncated, inputTokens, cachedInputTokens, outputTokens, ...rest } = entry;
  const { task, attempt, offset, length, episode, agentSeconds, modelSeconds, ...others } = rest;
  return {
    task,
    attempt,
    offset,
    length,
    episode,
    ...others,
    is_timeout: isTimeout,
    is_truncated: isTruncated,
    input_tokens: inputTokens,
    cached_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    agent_seconds: agentSeconds,
    model_seconds: modelSeconds,
  };
}

/** Also of the first lines that were ever written, which had the names of memory. */
export function fromRecord(record: EntryRecord | IndexEntry): IndexEntry {
  return 'isTimeout' in record ? record : renamed(record);
}

/** One literal for all, so that a hundred thousand entries have one shape. */
function renamed(record: EntryRecord): IndexEntry {
  const { name } = record;
  return {
    task: record.task,
    attempt: record.attempt,
    offset: record.offset,
    length: record.length,
    episode: record.episode,
    hash: record.hash,
    ...(name === undefined ? null : { name }),
    ok: record.ok,
    reward: record.reward,
    rewards: record.rewards,
    weights: record.weights,
    metrics: record.metrics,
    stop: record.stop,
    isTimeout: record.is_timeout,
    isTruncated: record.is_truncated,
    error: record.error,
    retries: record.retries,
    turns: record.turns,
    inputTokens: record.input_tokens,
    cachedInputTokens: record.cached_input_tokens,
    outputTokens: record.output_tokens,
    cost: record.cost,
    start: record.start,
    end: record.end,
    agentSeconds: record.agent_seconds,
    modelSeconds: record.model_seconds,
  };
}
