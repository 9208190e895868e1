import type { Content, Message, ToolCall, ToolSpec } from '@vf/core';
import type { JsonObject } from '@vf/core/dialect';

/** What one request asks. */
export interface Ask {
  readonly model: string;
  readonly system: string | null;
  /** The conversation in the dialect's own items. */
  readonly items: readonly unknown[];
  readonly tools: readonly ToolSpec[];
  readonly stream: boolean;
}

/** What came back: the items that restate the reply, and the calls it asks for. */
export interface Reply {
  readonly items: readonly unknown[];
  readonly calls: readonly ToolCall[];
  /** What it says, without its reasoning. */
  readonly text: string;
  /** It broke off at the limit of its output. */
  readonly isCut: boolean;
  /** Tokens of prompt and reply together; null when the endpoint does not say. */
  readonly tokens: number | null;
}

export interface ToolAnswer {
  readonly call: ToolCall;
  readonly content: Content;
  readonly isError: boolean;
}

/** As much of a dialect as a loop in our own process needs; replies are restated exactly as they came. */
export interface Wire {
  readonly path: string;
  /** Raw pairs that carry the bearer, and what else the provider demands. */
  headers(bearer: string): Readonly<Record<string, string>>;
  body(ask: Ask): JsonObject;
  /** System messages are left out where the dialect keeps them elsewhere. */
  items(messages: readonly Message[]): readonly unknown[];
  answers(answers: readonly ToolAnswer[]): readonly unknown[];
  /** null: no reply of this dialect. */
  read(body: JsonObject): Reply | null;
  /** The plain body that a stream's events amount to; null when they end before the reply was complete. */
  assemble(events: readonly JsonObject[]): JsonObject | null;
}
