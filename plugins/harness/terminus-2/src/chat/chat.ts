import type { Message } from '@vf/core';
import { textOf } from '@vf/core/trace';
import type { AskText } from '@vf/harness-kit';

export type TextReply = Awaited<ReturnType<AskText>>;

/** Of a text when nobody has counted any yet, and at most: a reply counts with its reasoning, which is not kept. */
const usualPerByte = 1 / 4;
const mostPerByte = 1;

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
  /** Tokens of a byte in this conversation. */
  #perByte = usualPerByte;

  constructor(ask: AskText) {
    this.#ask = ask;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** How many tokens the conversation would have with this text behind it. */
  tokensWith(text: string): number {
    return this.#tokens + this.#guess(text);
  }

  /** Says something; a call that gives no reply leaves the conversation as it was. */
  async say(text: string, signal: AbortSignal): Promise<TextReply> {
    const messages = [...this.#messages, user(text)];
    const reply = await this.#ask(messages, signal);
    if ('failure' in reply) return reply;
    this.#messages = [...messages, assistant(reply.text)];
    if (reply.tokens === null) this.#tokens = this.tokensWith(text + reply.text);
    else this.#count(reply.tokens);
    return reply;
  }

  /** Asks about it, or about something else, without becoming part of it. */
  aside(messages: readonly Message[], signal: AbortSignal): Promise<TextReply> {
    return this.#ask(messages, signal);
  }

  /** Goes on with other messages in place of these. */
  restart(messages: readonly Message[]): void {
    this.#messages = [...messages];
    this.#tokens = this.#guess(textIn(messages));
  }

  #count(tokens: number): void {
    this.#tokens = tokens;
    const bytes = Buffer.byteLength(textIn(this.#messages));
    this.#perByte = bytes === 0 ? usualPerByte : Math.min(tokens / bytes, mostPerByte);
  }

  #guess(text: string): number {
    return Math.ceil(Buffer.byteLength(text) * this.#perByte);
  }

  /** Drops exchanges from the end, never the first message, until the rest has at most so many tokens. */
  shorten(maxTokens: number): void {
    while (this.#messages.length > 2 && this.#tokens > maxTokens) {
      this.restart(this.#messages.slice(0, -2));
    }
  }
}

function textIn(messages: readonly Message[]): string {
  return messages.map(({ content }) => textOf(content)).join('');
}
