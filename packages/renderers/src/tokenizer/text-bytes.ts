/** Bytes of texts for which nothing is allocated: nearly every prompt's new messages have fewer. */
const usualBytes = 2 ** 17;

/** Stands behind a text; no byte of UTF-8. */
export const endByte = 0xff;

/** A text as UTF-8, its end marked, until the next one is written; what has no UTF-8 becomes U+FFFD. */
export class TextBytes {
  readonly #usual = Buffer.allocUnsafeSlow(usualBytes + 1);
  /** Of the text that was written last. */
  bytes = this.#usual;

  /** @returns how many bytes the text has */
  write(text: string): number {
    const length = Buffer.byteLength(text);
    this.bytes = length <= usualBytes ? this.#usual : Buffer.allocUnsafeSlow(length + 1);
    this.bytes.write(text);
    this.bytes[length] = endByte;
    return length;
  }
}
