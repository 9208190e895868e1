import type { Delta } from '@vf/core';
import type { LiveReply } from '../live/live-reply.ts';

const open = '<think>';
const close = '</think>';

/** A reply whose reasoning, if it begins with any, stands between marks that are text. */
export class LiveThink implements LiveReply {
  #state: 'begin' | 'reasoning' | 'content' = 'begin';
  /** Text that has not been told. */
  #waiting = '';
  /** White space at its beginning is no part of what is read. */
  #isBlank = true;

  text(part: string): void {
    this.#waiting += part;
  }

  /** There are none: the fallback reads control tokens as what they spell. */
  control(name: string): void {
    this.text(name);
  }

  take(): readonly Delta[] {
    if (this.#state === 'begin') this.#tellHowItBegins();
    const reasoning = this.#state === 'reasoning' ? this.#takeReasoning() : [];
    return this.#state === 'content' ? [...reasoning, ...this.#takeContent()] : reasoning;
  }

  #tellHowItBegins(): void {
    const start = this.#waiting.trimStart();
    if (start.startsWith(open)) {
      this.#waiting = start.slice(open.length);
      this.#state = 'reasoning';
    } else if (!open.startsWith(start)) {
      this.#isBlank = false;
      this.#state = 'content';
    }
  }

  #takeReasoning(): readonly Delta[] {
    const end = this.#waiting.indexOf(close);
    const text = end < 0 ? this.#certainReasoning() : this.#waiting.slice(0, end).trimEnd();
    const told = this.#isBlank ? text.trimStart() : text;
    if (told !== '') this.#isBlank = false;
    this.#waiting = this.#waiting.slice(end < 0 ? text.length : end + close.length);
    if (end >= 0) {
      this.#state = 'content';
      this.#isBlank = true;
    }
    return told === '' ? [] : [{ type: 'reasoning', text: told }];
  }

  /** Without what may be the start of the mark, and the white space in front of it. */
  #certainReasoning(): string {
    const mark = this.#waiting.lastIndexOf('<');
    const isMark = mark >= 0 && close.startsWith(this.#waiting.slice(mark));
    return (isMark ? this.#waiting.slice(0, mark) : this.#waiting).trimEnd();
  }

  #takeContent(): readonly Delta[] {
    const text = this.#isBlank ? this.#waiting.trimStart() : this.#waiting;
    this.#waiting = '';
    if (text === '') return [];
    this.#isBlank = false;
    return [{ type: 'text', text }];
  }
}
