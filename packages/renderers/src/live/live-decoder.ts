import type { Tokenizer } from '../tokenizer/tokenizer.ts';

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of tokens that come one by one; bytes of a character wait until it is whole. */
export class LiveDecoder {
  readonly #tokenizer: Tokenizer;
  #decoder = newDecoder();
  #ids: number[] = [];

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  push(id: number): void {
    this.#ids.push(id);
  }

  /** Text since the last time. */
  take(): string {
    if (this.#ids.length === 0) return '';
    const bytes = this.#tokenizer.join(this.#ids, 0, this.#ids.length);
    this.#ids = [];
    return this.#decoder.decode(bytes, { stream: true });
  }

  /** Text since the last time, where the text ends: bytes of a character that is not whole are none. */
  end(): string {
    const text = this.take() + this.#decoder.decode();
    this.#decoder = newDecoder();
    return text;
  }
}
