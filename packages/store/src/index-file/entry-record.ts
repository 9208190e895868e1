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
  readonly model_weights?: readonly string[];
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
  | 'modelWeights'
>;

/** One literal, as for `renamed`: a line is written for every episode. */
export function toRecord(entry: IndexEntry): EntryRecord {
  const { name, modelWeights } = entry;
  return {
    task: entry.task,
    attempt: entry.attempt,
    offset: entry.offset,
    length: entry.length,
    episode: entry.episode,
    hash: entry.hash,
    ...(name === undefined ? null : { name }),
    ok: entry.ok,
    reward: entry.reward,
    rewards: entry.rewards,
    weights: entry.weights,
    metrics: entry.metrics,
    stop: entry.stop,
    error: entry.error,
    retries: entry.retries,
    turns: entry.turns,
    cost: entry.cost,
    start: entry.start,
    end: entry.end,
    is_timeout: entry.isTimeout,
    is_truncated: entry.isTruncated,
    input_tokens: entry.inputTokens,
    cached_input_tokens: entry.cachedInputTokens,
    output_tokens: entry.outputTokens,
    agent_seconds: entry.agentSeconds,
    model_seconds: entry.modelSeconds,
    ...(modelWeights === undefined ? null : { model_weights: modelWeights }),
  };
}

/** Also of the first lines that were ever written, which had the names of memory. */
export function fromRecord(record: EntryRecord | IndexEntry): IndexEntry {
  return 'isTimeout' in record ? record : renamed(record);
}

/** One literal for all, so that a hundred thousand entries have one shape. */
function renamed(record: EntryRecord): IndexEntry {
  const { name, model_weights: modelWeights } = record;
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
    ...(modelWeights === undefined ? null : { modelWeights }),
  };
}
