import type { CallError, Finish, Settings, Usage } from '../call.ts';
import type { TokenCounts, TokenOrigin, WeightSpan } from '../contract/turn-tokens.ts';

/** One exchange with a provider, failed ones too; a retry is a call of its own. */
export interface ModelCall {
  /** The reply's node; null when the call committed none. */
  readonly node: number | null;
  readonly dialect: string;
  /** Path and query of the agent's request. */
  readonly endpoint: string;
  /** The model the agent asked for, and the one that answered. */
  readonly requestedModel: string;
  readonly model: string;
  /** What was in force, overrides applied. */
  readonly settings: Settings;
  readonly finish: Finish | null;
  readonly rawFinish: string | null;
  readonly usage: Usage | null;
  /** US dollars; null = unknown. */
  readonly cost: number | null;
  /** HTTP status of the provider; null when there was no answer. */
  readonly status: number | null;
  /** From 1. */
  readonly attempt: number;
  /** Unix seconds. */
  readonly start: number;
  readonly end: number;
  /** Unix seconds of the first byte of the body; null when none came. */
  readonly firstByte: number | null;
  /** Unix seconds of the last one, where the reply broke off; not stored. */
  readonly lastByte?: number;
  readonly error: CallError | null;
  /** Text of a reply that broke off, at most 16 KiB. */
  readonly partial?: string;
  /** The provider's id of the reply. */
  readonly responseId?: string;
  /** The weights that sampled the reply: more than one span when they were updated meanwhile. */
  readonly weights?: readonly WeightSpan[];
  /** What made the ids of its prompt and reply; absent where nothing says so. */
  readonly origin?: TokenOrigin;
  /** Absent where nobody counts. */
  readonly counts?: TokenCounts;
  readonly unknown?: Readonly<Record<string, unknown>>;
}

/** A call of one of the task's tools, served by vf; also those that no message shows. */
export interface ServedToolCall {
  readonly name: string;
  /** Unix seconds. */
  readonly start: number;
  readonly end: number;
  readonly error: string | null;
}
