import type { Message } from '@vf/core';
import { textOf } from '@vf/core/trace';
import type { AskText } from '@vf/harness-kit';

export type TextReply = Awaited<ReturnType<AskText>>;

/** Of a text whose tokens nobody has counted. */
const bytesPerToken = 4;

export function user(content: string): Message {
  return { role: 'user', content };
}

export function assistant(content: string): Message {
  return { role: 'assistant', content };
}

/** The conversation with the model, as plain text. */
export class Chat {
  readonly #ask: AskText;
  #messages: Message[] = [];
  /** Of all messages; counted by the endpoint where it does, else guessed. */
  #tokens = 0;

  constructor(ask: AskText) {
    this.#ask = ask;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** How many tokens the conversation would have with this text behind it. */
  tokensWith(text: string): number {
    return this.#tokens + tokensOf(text);
  }

  /** Says something; a call that gives no reply leaves the conversation as it was. */
  async say(text: string, signal: AbortSignal): Promise<TextReply> {
    const messages = [...this.#messages, user(text)];
    const reply = await this.#ask(messages, signal);
    if ('failure' in reply) return reply;
    this.#tokens = reply.tokens ?? this.tokensWith(text) + tokensOf(reply.text);
    this.#messages = [...messages, assistant(reply.text)];
    return reply;
  }

  /** Asks about it, or about something else, without becoming part of it. */
  aside(messages: readonly Message[], signal: AbortSignal): Promise<TextReply> {
    return this.#ask(messages, signal);
  }

  /** Goes on with other messages in place of these. */
  restart(messages: readonly Message[]): void {
    this.#messages = [...messages];
    this.#tokens = messages.reduce((sum, { content }) => sum + tokensOf(textOf(content)), 0);
  }

  /** Drops exchanges from the end, never the first message, until the rest has at most so many tokens. */
  shorten(maxTokens: number): void {
    while (this.#messages.length > 2 && this.#tokens > maxTokens) {
      this.restart(this.#messages.slice(0, -2));
    }
  }
}

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
