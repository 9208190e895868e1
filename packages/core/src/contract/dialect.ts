import type { Call, CallError, Finish, Settings, ToolSpec, Usage } from '../call.ts';
import type { AssistantMessage, Message } from '../message.ts';

/** Canonical pieces of a reply in progress: what translation and token-in write, what a reader can report. */
export type Delta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'call';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly namespace?: string;
      readonly custom?: true;
    }
  | { readonly type: 'arguments'; readonly index: number; readonly text: string }
  | { readonly type: 'native'; readonly item: unknown };

/** A token of a reply as it was sampled. */
export interface SampledToken {
  /** Of a part of a character where that is all that it covers. */
  readonly bytes: Uint8Array;
  readonly logprob: number;
}

/**
 * A reply as its dialect reads it. `whole` is false when the bytes ended before the reply was complete;
 * only the dialect knows (a clean end without `[DONE]` is whole after a finish reason).
 */
export interface ReadReply {
  readonly message: AssistantMessage | null;
  readonly finish: Finish | null;
  readonly rawFinish: string | null;
  /** The stop text that ended it, of a reply that is to be written; a dialect that tells it reads it into the message. */
  readonly stopWord?: string;
  /** All tokens of one that is to be written, where they are known: a dialect tells them to an agent that asked. */
  readonly sampled?: () => Iterable<SampledToken>;
  readonly usage: Usage | null;
  readonly model: string | null;
  readonly id: string | null;
  readonly error: CallError | null;
  readonly whole: boolean;
}

/** One server-sent event; the server keeps its bytes. */
export interface SseEvent {
  readonly name: string | null;
  readonly data: string;
}

/** Status and raw header pairs `[name, value, name, value, …]`: repeats, order and case are kept. */
export interface Head {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: readonly string[];
}

/**
 * What a request is: `turn` samples a reply and is recorded, `count-tokens` and `models` are relayed or answered,
 * `probe` is answered with an empty 200, `refused` with the dialect's 404.
 */
export type RouteKind = 'turn' | 'count-tokens' | 'models' | 'probe' | 'refused';

/** `path` matches the end of the URL's path, below any prefix, without its query. */
export interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly kind: RouteKind;
}

/**
 * One splice of a request: a top-level key or an item of the growing array replaced (`undefined` removes it),
 * or the path (Gemini names the model there). `item` is an index among the items the edit was asked about.
 */
export type Edit =
  | { readonly key: string; readonly value: unknown }
  | { readonly item: number; readonly value: unknown }
  | { readonly path: string };

/** Reads requests of a dialect. `top` is the parsed request with the growing array emptied. */
export interface RequestFormat {
  /** The top-level array that grows with the conversation: `messages`, `input`, `contents`. */
  readonly growing: string;
  /**
   * True when a canonical message may begin at this item. `previous` is the item before it (`undefined` at the
   * start). When the first new item does not open, parsing resumes one opening earlier.
   */
  opens(item: unknown, previous: unknown): boolean;
  /** Canonical messages of one group of items, from an opening to the next. Pure; never throws. */
  messages(group: readonly unknown[]): readonly Message[];
  /** System prompt and instructions that stand outside the growing array, or all of a non-array `input`. */
  preamble(top: Readonly<Record<string, unknown>>): readonly Message[];
  tools(top: Readonly<Record<string, unknown>>): readonly ToolSpec[];
  settings(top: Readonly<Record<string, unknown>>, path: string): Settings;
  /** Splices that make the request ask for `want`; none where it already does. */
  edits(
    want: Partial<Settings>,
    top: Readonly<Record<string, unknown>>,
    path: string,
  ): readonly Edit[];
  /** Item splices (indices within `group`) that replace message `index` of `messages(group)` by `message`. */
  rewrite(group: readonly unknown[], index: number, message: Message): readonly Edit[];
  /** Is `said` the sampled reply, restated the way agents restate? Asked only after strict equality failed. */
  restates(sampled: AssistantMessage, said: AssistantMessage): boolean;
  /** The whole request for an upstream of this dialect. */
  write(call: Call): Record<string, unknown>;
  /** Id of an earlier reply that this request continues on the provider's side (`previous_response_id`). */
  continues?(top: Readonly<Record<string, unknown>>): string | null;
  /** A last message of the assistant's is the beginning of the reply (a prefill), not one that is over. */
  readonly prefills?: true;
}

/**
 * What one event means: `finished` carries the finish reason (more may follow: usage), `terminal` ends the reply.
 * `drop`: the agent did not ask for this event. `deltas` only when the reader was made with `deltas: true`.
 */
export interface ReadEvent {
  readonly phase: 'more' | 'finished' | 'terminal';
  readonly drop?: true;
  readonly error?: CallError;
  readonly deltas?: readonly Delta[];
}

export interface ReplyReader {
  push(event: SseEvent): ReadEvent;
  /** The reply so far; called once, at the terminal event or at the end of the bytes. */
  end(): ReadReply;
}

export interface ReplyWriter {
  delta(delta: Delta): Uint8Array;
  /** The closing bytes (streamed) or the whole body (plain). */
  end(reply: ReadReply): Uint8Array;
}

export interface ReaderOptions {
  /** By the reply's content type, not by the request; a plain reply, failed or not, is one event. */
  readonly stream: boolean;
  readonly deltas: boolean;
  readonly head: Head;
  /** The edits made to the request: a reader drops what only we asked for. */
  readonly edits: readonly Edit[];
}

export interface WriterOptions {
  readonly stream: boolean;
  readonly settings: Settings;
  newId(prefix: string): string;
  /** Unix milliseconds. */
  now(): number;
}

/** A provider's wire format. Law: `read(write(reply)) = reply`, streamed and plain. */
export interface Dialect {
  readonly kind: 'dialect';
  readonly specVersion: 1;
  readonly id: string;
  readonly routes: readonly Route[];
  /** Path of a turn at the provider, `/v1/…`; used when a request is translated into this dialect. */
  turnPath(settings: Settings): string;
  /** The secret a request carries and where it stood; the server strips it there. */
  secret(
    headers: readonly string[],
    url: URL,
  ): { readonly value: string; readonly header?: string; readonly query?: string } | null;
  /** Raw header pairs that the provider wants on every request, where no agent brings them. */
  readonly headers?: readonly string[];
  /** Raw header pairs that carry `key` to the provider. */
  authorize(key: string): readonly string[];
  readonly request: RequestFormat;
  reader(options: ReaderOptions): ReplyReader;
  writer(options: WriterOptions): ReplyWriter;
  /** A refusal in the dialect's own shape, with `x-should-retry: false` where its SDKs obey it. */
  error(error: CallError): { readonly head: Head; readonly body: Uint8Array };
  errorEvent(error: CallError): Uint8Array;
  /** One comment line (or the dialect's own ping) that may stand between two events. */
  keepAlive(): Uint8Array;
  /** The model list, answered by us. */
  models(models: readonly string[]): Uint8Array;
}
