/** What people filter and sum by, one line per episode of `traces.index.jsonl`. */
export interface IndexEntry {
  readonly episode: string;
  readonly task: string;
  /** SHA-256 of the task's row, hex. */
  readonly hash: string;
  readonly name?: string;
  /** From 1. */
  readonly attempt: number;
  /** Place of the episode's line in traces.jsonl, bytes. */
  readonly offset: number;
  readonly length: number;
  readonly ok: boolean;
  /** Of the scored trainable traces, their mean; null = unscored. Group rewards are in it once their group is complete. */
  readonly reward: number | null;
  readonly rewards: Readonly<Record<string, number | null>>;
  /** Weight of each reward. */
  readonly weights: Readonly<Record<string, number>>;
  /** Versions of the model's weights that sampled it, in the order of their use; absent where no engine says them. */
  readonly modelWeights?: readonly string[];
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly stop: string | null;
  readonly isTimeout: boolean;
  readonly isTruncated: boolean;
  /** The error that left it unscored; null when it has a score. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly phase?: string;
    /** Where the author's own code threw, `file:line:column`. */
    readonly at?: string;
  } | null;
  readonly retries: number;
  readonly turns: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null = unknown. */
  readonly cost: number | null;
  /** Unix seconds. */
  readonly start: number;
  readonly end: number;
  /** Seconds of the agent's stage, and those of them with a model call under way. */
  readonly agentSeconds: number;
  readonly modelSeconds: number;
}
