import type { Delta } from '@vf/core';

/** Takes text of one kind as it comes and gives away what will stand in the finished message, whatever follows. */
export class LiveText {
  readonly #type: 'text' | 'reasoning';
  readonly #leading: RegExp;
  readonly #trailing: RegExp;
  #waiting = '';
  #hasBegun = false;

  /** @param leading white space that is left out; @param trailing what is kept back until something follows it */
  constructor(type: 'text' | 'reasoning', leading: RegExp, trailing: RegExp) {
    this.#type = type;
    this.#leading = leading;
    this.#trailing = trailing;
  }

  add(text: string): void {
    this.#waiting += text;
    if (!this.#hasBegun) this.#waiting = this.#waiting.replace(this.#leading, '');
  }

  take(): readonly Delta[] {
    const text = this.#waiting.replace(this.#trailing, '');
    if (text === '') return [];
    this.#waiting = this.#waiting.slice(text.length);
    this.#hasBegun = true;
    return [{ type: this.#type, text }];
  }
}
