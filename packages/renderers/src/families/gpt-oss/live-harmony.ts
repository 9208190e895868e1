import type { Delta } from '@vf/core';
import type { LiveReply } from '../../live/live-reply.ts';
import { kindOf } from './harmony-kind.ts';
import type { HarmonyKind } from './harmony-kind.ts';

/**
 * Analysis is told as it comes, and so is the final message. Other content waits for that: it may be followed by more
 * analysis, and agents expect reasoning in front.
 */
export class LiveHarmony implements LiveReply {
  readonly #reasoning = new Joined('reasoning');
  readonly #content = new Joined('text');
  /** What stands before the body under way. */
  #header = '';
  /** The body under way; null in a header. */
  #body: HarmonyKind | null = null;
  /** A body without a header is a message when something is in it. */
  #isBegun = false;
  /** Has the final message begun? */
  #isFinal = false;
  /** Was any content told? */
  #hasAnswered = false;

  text(part: string): void {
    if (part === '') return;
    if (this.#body === null) this.#header += part;
    else {
      this.#begin();
      this.#joined()?.add(part);
    }
  }

  control(name: string): void {
    if (name === '<|end|>' || name === '<|start|>') {
      this.#header = '';
      this.#body = null;
    } else if (name === '<|message|>' && this.#body === null) {
      this.#body = kindOf(this.#header);
      this.#isBegun = false;
      if (this.#header !== '') this.#begin();
    } else this.text(name);
  }

  take(): readonly Delta[] {
    const reasoning = this.#hasAnswered ? [] : this.#reasoning.take();
    const content = this.#isFinal ? this.#content.take() : [];
    this.#hasAnswered ||= content.length > 0;
    return [...reasoning, ...content];
  }

  #begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    if (this.#body?.kind === 'final') this.#isFinal = true;
    this.#joined()?.next();
  }

  #joined(): Joined | null {
    if (this.#body?.kind === 'call') return null;
    return this.#body?.kind === 'analysis' ? this.#reasoning : this.#content;
  }
}

/** Bodies of one kind, as the message has them: a line each. */
class Joined {
  readonly #type: 'text' | 'reasoning';
  #count = 0;
  #waiting = '';

  constructor(type: 'text' | 'reasoning') {
    this.#type = type;
  }

  next(): void {
    if (this.#count++ > 0) this.#waiting += '\n';
  }

  add(text: string): void {
    this.#waiting += text;
  }

  take(): readonly Delta[] {
    const text = this.#waiting;
    this.#waiting = '';
    return text === '' ? [] : [{ type: this.#type, text }];
  }
}
