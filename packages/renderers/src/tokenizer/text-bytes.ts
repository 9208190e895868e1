/** Bytes of texts for which nothing is allocated: nearly every prompt's new messages have fewer. */
const usualBytes = 2 ** 17;

/** Stands behind a text; no byte of UTF-8. */
export const endByte = 0xff;

/** Behind a text, so that eight bytes can be read wherever it has one. */
const room = 8;

interface Space {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** A text as UTF-8, its end marked, until the next one is written; what has no UTF-8 becomes U+FFFD. */
export class TextBytes {
  readonly #usual = spaceOf(usualBytes);
  #space = this.#usual;

  get bytes(): Buffer {
    return this.#space.bytes;
  }

  get view(): DataView {
    return this.#space.view;
  }

  /** @returns how many bytes the text has */
  write(text: string): number {
    const length = Buffer.byteLength(text);
    this.#space = length <= usualBytes ? this.#usual : spaceOf(length);
    this.bytes.write(text);
    this.bytes[length] = endByte;
    return length;
  }
}

function spaceOf(length: number): Space {
  const bytes = Buffer.allocUnsafeSlow(length + room);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}
