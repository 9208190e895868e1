/** A key that is shorter may be a word of a reply: `EMPTY`, `lm-studio`, `not-needed` stand for no key at all. */
const shortestSecret = 12;

/** Characters that keys of one provider have in common at their start, and some. */
const longestStart = 16;

const stars = Buffer.from('***');
const none = Buffer.alloc(0);

/**
 * Masks the provider's key in the bytes of one reply as they pass. Only an end of a chunk that may be the start of the
 * key waits for the next one.
 */
export class KeyMask {
  readonly #key: Buffer;
  #held: Buffer = none;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /** null when there is nothing to mask. Words that stand for a key are masked in errors alone, which nobody samples. */
  static of(key: string | null, status: number): KeyMask | null {
    if (key === null || key === '') return null;
    return status >= 400 || key.length >= shortestSecret ? new KeyMask(Buffer.from(key)) : null;
  }

  /** @returns what may go on now; empty when all of it waits */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const masked = this.#masked(bytes);
    const end = masked.length - this.#startLength(masked);
    this.#held = end === masked.length ? none : masked.subarray(end);
    return end === masked.length ? masked : masked.subarray(0, end);
  }

  /** What waited, at the end of the reply; of a key that was cut off no more than its first letters. */
  end(): Buffer {
    const held = this.#held;
    this.#held = none;
    return held.length < longestStart ? held : stars;
  }

  #masked(bytes: Buffer): Buffer {
    let at = bytes.indexOf(this.#key);
    if (at < 0) return bytes;
    const parts: Buffer[] = [];
    let from = 0;
    for (; at >= 0; at = bytes.indexOf(this.#key, from)) {
      parts.push(bytes.subarray(from, at), stars);
      from = at + this.#key.length;
    }
    parts.push(bytes.subarray(from));
    return Buffer.concat(parts);
  }

  /** Bytes at the end of `bytes` that are a start of the key. */
  #startLength(bytes: Buffer): number {
    const [first, second] = this.#key;
    const end = bytes.length;
    for (let at = Math.max(0, end - this.#key.length + 1); at < end; at++) {
      if (bytes[at] !== first || (at + 1 < end && bytes[at + 1] !== second)) continue;
      if (this.#key.compare(bytes, at, end, 0, end - at) === 0) return end - at;
    }
    return 0;
  }
}
