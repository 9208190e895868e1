import type { Message } from './message.ts';

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Absent means `function`; other kinds are the provider's own tools. */
  readonly kind?: string;
  readonly namespace?: string;
  readonly strict?: boolean;
  /** The dialect's own declaration, where the fields above do not say it all. */
  readonly native?: unknown;
}

/** Whether a reply calls tools: as it likes, none, at least one, or this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** What a call asks of the model beside its messages; an absent key was left to the provider. */
export interface Settings {
  readonly model: string;
  readonly stream: boolean;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Most tokens of one reply, reasoning included. */
  readonly maxOutputTokens?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly reasoningEffort?: string;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly parallelToolCalls?: boolean;
  readonly toolChoice?: ToolChoice;
  /** A JSON Schema that the reply must obey, or `json` for any JSON. */
  readonly responseFormat?:
    | 'json'
    | { readonly name?: string; readonly schema: unknown; readonly strict?: boolean };
  /** Streamed replies end with their usage. */
  readonly includeUsage?: boolean;
  /** Top-level keys of the request that have no name above, spelt as the provider spells them. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Settings of a run that win over what the agent asks for. */
export type Sampling = Partial<Omit<Settings, 'model' | 'stream' | 'includeUsage'>>;

/** Why a reply ended. */
export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Tokens of one call; total = inputTokens + outputTokens. */
export interface Usage {
  /** All prompt tokens, cache reads and writes included. */
  readonly inputTokens: number;
  /** All sampled tokens, reasoning included. */
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** US dollars, when the provider says so itself. */
  readonly cost?: number;
}

/** A call that failed, whoever refused it; `status` is an HTTP status, 0 when there was no answer. */
export interface CallError {
  readonly status: number;
  readonly code: CallErrorCode;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/**
 * `cut`: the stream ended before its terminal event; `malformed`: a reply that does not parse; `no_sample`: one that cannot
 * be trained on exactly; `not_renderable`: a prompt that has no place in the model's tokens.
 */
export type CallErrorCode =
  | 'rate_limit'
  | 'overloaded'
  | 'auth'
  | 'not_found'
  | 'context_length'
  | 'refused'
  | 'invalid'
  | 'provider'
  | 'unreachable'
  | 'cut'
  | 'malformed'
  | 'no_sample'
  | 'not_renderable'
  | 'aborted';

/** A model call in canonical form. */
export interface Call {
  readonly preamble: readonly Message[];
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly settings: Settings;
}
