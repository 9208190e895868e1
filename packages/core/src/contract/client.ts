import type { Call, CallError } from '../call.ts';
import type { Message } from '../message.ts';
import type { Dialect, Head, RouteKind } from './dialect.ts';
import type { TurnTokens } from './turn-tokens.ts';

/** The recorded turn that a request continues: its messages, and its tokens when they are known. */
export interface Prefix {
  readonly messages: number;
  readonly tokens: { readonly promptIds: Int32Array; readonly completionIds: Int32Array } | null;
}

export interface CallOptions {
  readonly asRecorded?: boolean;
}

/** One attempt at one call. */
export interface Exchange {
  readonly rollout: { readonly id: string; newId(prefix: string): string; now(): number };
  readonly kind: Exclude<RouteKind, 'probe' | 'refused'>;
  readonly dialect: Dialect;
  /** From 1. */
  readonly attempt: number;
  /** After edits. `path` as the route matched it, query included; `body` is a list of chunks. */
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly string[];
    readonly body: readonly Uint8Array[];
  };
  /**
   * The request in canonical form.
   * @param options.asRecorded messages that are recorded may stand as the trace holds them: it costs by what is new,
   * where the words that the agent uses for them do not matter
   */
  call(options?: CallOptions): Call;
  /** The messages of `call()` that are recorded already, and their tokens. */
  prefix(): Prefix;
  /** Id of an earlier reply that this request continues and that the rollout has not: `call()` lacks what it stands on. */
  readonly unknownReply?: string;
}

/**
 * Status, headers and body in the agent's own dialect, whoever made them. What arrives in one tick is one chunk;
 * pulling is the back pressure; `return()` aborts upstream. `tokens` is settled before the terminal bytes come.
 */
export interface Reply {
  readonly head: Head;
  readonly body: AsyncIterable<Uint8Array>;
  readonly tokens?: Promise<TurnTokens | null>;
  /** Why a client's own plain answer is no reply, where the bytes could not name it. */
  readonly error?: CallError;
  /** Why a client's own streamed reply broke off, once its error event has come, where that could not name it. */
  failure?(): CallError | null;
}

/** Answers model calls: a relay, a translator, a token-in engine, a replay. One send is one attempt. */
export interface Client {
  /** @throws SendFailed before the head; an error of `body` is a broken stream. */
  send(exchange: Exchange, signal: AbortSignal): Promise<Reply>;
  /**
   * Before the first call: is what it asks what it was made for? Samples nothing.
   * @throws VfError
   */
  check?(signal: AbortSignal): Promise<void>;
  /** What it cannot do, told to the user once, before the first call. */
  readonly notes?: readonly string[];
  /** Why a call that offers tools would be refused, whatever they are; absent: as far as is known none would. */
  readonly noTools?: string;
  /** Why a call that offers tools which only a provider can run would be refused; absent: as far as is known none would. */
  readonly noProviderTools?: string;
  close?(): Promise<void>;
}

/** What `Exchange.call()` gives, split for callers that only want the messages. */
export function promptOf(call: Call): readonly Message[] {
  return call.preamble.length === 0 ? call.messages : [...call.preamble, ...call.messages];
}
