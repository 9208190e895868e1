import type { Message, ToolSpec } from '@vf/core';
import type { LiveReply } from './live/live-reply.ts';
import type { Parsed } from './parsed.ts';
import type { Piece } from './parse/pieces.ts';
import type { RendererOptions, Retention } from './renderer.ts';
import type { Script } from './script.ts';

/** What a template sees. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** `Template.lastQuery` of all messages, −1 when there is none; not known in a bridge, where replies are old. */
  readonly lastQuery: number;
  /** Is a generation prompt asked for? */
  readonly generation: boolean;
  /** The first message that is written here: more than 0 in a bridge. */
  readonly from: number;
}

/** A model family's template, bound to the options of its renderer. */
export interface Template {
  readonly retention: Retention;
  /** Index of the message that starts the turn under way: replies after it keep their reasoning. */
  lastQuery?(messages: readonly Message[]): number;
  /** What comes before the messages; returns the index of the first message that it has not written. */
  head(script: Script, conversation: Conversation): number;
  message(script: Script, conversation: Conversation, index: number): void;
  generationPrompt(script: Script, conversation: Conversation): void;
  /** Text between the close of a reply and the next message. */
  readonly separator: string;
  /** The token that ends a reply, added to one that was cut; empty when the next message's header ends it. */
  readonly close: string;
  /** Control tokens that end a completion. */
  readonly stops: readonly string[];
  /** `pieces` end before the first stop token. @param opens see `marksBehind` */
  parse(pieces: readonly Piece[], tools: readonly ToolSpec[], opens: boolean | null): Parsed;
  /** Reads a reply while it is sampled, and tells of it what `parse` cannot take back. @param opens see `marksBehind` */
  live(opens: boolean | null): LiveReply;
  /** May this turn be bridged? Beyond the rules that hold for every family; `ended` is the reply's stop token. */
  bridges?(conversation: Conversation, ended: string | null): boolean;
}

/** A model family. */
export interface Family {
  readonly id: string;
  /** What its template cannot say; shown as `Renderer.limits`. */
  readonly limits?: readonly string[];
  /** Control tokens that its tokenizer must have. */
  readonly controls: readonly string[];
  readonly template: (options: RendererOptions) => Template;
}
