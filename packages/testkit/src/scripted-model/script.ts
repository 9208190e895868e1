import type { Finish, Message, ToolSpec, Usage } from '@vf/core';

/** The wire formats that the scripted model speaks. */
export type WireDialect = 'chat-completions' | 'responses' | 'messages';

/** What is spoken on the wire: a dialect, or an engine's own way of taking and giving ids. */
export type Wire = WireDialect | 'llama.cpp';

/** A model call as a script sees it. */
export interface ScriptedRequest {
  /** A prompt of ids is read as one of Chat Completions. */
  readonly dialect: WireDialect;
  readonly model: string;
  readonly stream: boolean;
  /** System prompt and instructions first, then the conversation. */
  readonly messages: readonly Message[];
  /** Tools of a namespace stand in the list with their `namespace`. */
  readonly tools: readonly ToolSpec[];
  /** Replies that the prompt restates: 0 on the first call of a conversation, retries included. */
  readonly turn: number;
  /** Which call of this server it is, from 1. */
  readonly call: number;
  /** Equal for calls with the same key, system prompt and first user message. */
  readonly conversation: string;
  /** Which call of its conversation it is, from 1; a retry counts. */
  readonly conversationCall: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How often, or where exactly, a text is cut into deltas. */
export type Pieces = number | readonly string[];

/** What the model says, in order. */
export type ContentStep =
  | {
      readonly type: 'text';
      readonly text: string;
      readonly pieces?: Pieces;
      readonly phase?: 'commentary' | 'final_answer';
    }
  | {
      readonly type: 'reasoning';
      readonly text: string;
      readonly pieces?: Pieces;
      /** Proof that a provider asks back with a thinking block (Messages, Chat `reasoning_details`). */
      readonly signature?: string;
      /** Opaque reasoning: `encrypted_content`, `redacted_thinking` or `reasoning.encrypted`. */
      readonly encrypted?: string;
    }
  | {
      readonly type: 'call';
      readonly name: string;
      /** Sent exactly so: odd spellings and broken JSON too. */
      readonly arguments: string;
      readonly id?: string;
      readonly namespace?: string;
      readonly custom?: true;
      readonly pieces?: Pieces;
    }
  /** Any event of the stream; a string goes out as it is, malformed or not. Left out of plain replies. */
  | { readonly type: 'event'; readonly name?: string; readonly data: unknown };

/** What happens at its place between the events of a streamed reply. */
export type PlacedStep =
  | { readonly type: 'pause'; readonly ms: number }
  | { readonly type: 'ping' }
  | { readonly type: 'comment'; readonly text: string }
  /** The dialect's error event, after which the stream ends; a plain reply is its error body with status 200. */
  | { readonly type: 'error'; readonly code: string; readonly message: string };

/** Where and how a reply breaks off. */
export interface CutStep {
  readonly type: 'cut';
  /** Events delivered before it; a negative number counts from the end (-1: all but the terminal event). */
  readonly afterEvents: number;
  /** `close`: the socket goes without an end of the body; `reset`: with RST; `end`: the body ends cleanly; `hang`: silence. */
  readonly how: 'close' | 'reset' | 'end' | 'hang';
}

/** How the bytes travel. */
export interface Delivery {
  readonly headDelayMs?: number;
  /** Between two events. */
  readonly eventDelayMs?: number;
  /** Writes of so many bytes, wherever that splits the text. Default: all that is ready in one write. */
  readonly chunkBytes?: number;
  /** Between two such writes. */
  readonly chunkDelayMs?: number;
  readonly newline?: '\n' | '\r\n' | '\r';
  readonly byteOrderMark?: boolean;
  readonly encoding?: 'gzip' | 'br' | 'zstd';
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is true of the reply as a whole; the last one of a kind wins. */
export type SettingStep =
  | {
      readonly type: 'usage';
      /** null: the reply has none. */
      readonly usage: Usage | null;
      /** Chat streams only. `own`: a chunk of its own, when asked for; `finish`: beside the finish reason; `every`: on each chunk. */
      readonly place: 'own' | 'finish' | 'every';
    }
  /** A canonical reason is spelt as the dialect spells it, any other string goes out as it is. */
  | { readonly type: 'finish'; readonly reason: Finish | (string & {}) }
  | { readonly type: 'identity'; readonly id?: string; readonly model?: string }
  | { readonly type: 'delivery'; readonly delivery: Delivery };

/** What takes the place of a reply. */
export type RefusalStep =
  | {
      readonly type: 'fail';
      readonly status: number;
      /** Default: the dialect's error shape. A string goes out as it is. */
      readonly body?: unknown;
      readonly message?: string;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** No byte is ever sent; the connection stays open. */
  | { readonly type: 'hang' }
  /** The connection is closed, or reset, before the head. */
  | { readonly type: 'hang-up'; readonly reset: boolean };

export type Step = ContentStep | PlacedStep | CutStep | SettingStep | RefusalStep;
export type Reply = Step | readonly Step[];

/** Decides what the model answers. */
export type ScriptFunction = (request: ScriptedRequest) => Reply | Promise<Reply>;

/** One reply for all calls, formatted once: made by `instant`. */
export interface InstantScript {
  readonly instant: readonly Step[];
}

/** A list holds the replies to the calls of one conversation, in order; a call beyond its end is refused with 400. */
export type Script = ScriptFunction | readonly Reply[] | InstantScript;
