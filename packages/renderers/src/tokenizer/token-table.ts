import { writeBytesOfToken } from './byte-level.ts';

/** The bytes of a vocabulary in one piece: an array for each of its tokens would take a hundred times as much. */
export class TokenTable {
  /** One more than the largest id. */
  readonly size: number;
  readonly #bytes: Buffer;
  /** Two numbers an id: how many bytes (−1 for an id that is none), and where they begin. */
  readonly #spans: Int32Array;

  /**
   * @param vocabulary ids of tokens in the alphabet of byte-level BPE
   * @param controls ids of tokens that stand for themselves, also where the vocabulary has those ids
   * @param onForeign hears of a token with a character outside the alphabet
   */
  constructor(
    vocabulary: Readonly<Record<string, number>>,
    controls: ReadonlyMap<string, number>,
    onForeign: (token: string) => never,
  ) {
    const taken = new Set(controls.values());
    const texts = Object.entries(vocabulary).filter(([, id]) => !taken.has(id));
    const names = [...controls].map(([name, id]) => [Buffer.from(name), id] as const);
    const lengths = [...texts, ...names].map(([token]) => token.length);
    const largest = [...texts, ...names].reduce((most, [, id]) => Math.max(most, id), -1);
    this.size = largest + 1;
    this.#bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
    this.#spans = new Int32Array(2 * this.size).fill(-1);
    let at = 0;
    for (const [token, id] of texts) {
      if (!writeBytesOfToken(token, this.#bytes, at)) onForeign(token);
      at = this.#place(id, at, token.length);
    }
    for (const [name, id] of names) {
      name.copy(this.#bytes, at);
      at = this.#place(id, at, name.length);
    }
  }

  /** @throws RangeError for an id that is none */
  length(id: number): number {
    const length = this.#spans[2 * id] ?? -1;
    if (length < 0) throw new RangeError(`The vocabulary has no token ${id}.`);
    return length;
  }

  /** @throws RangeError for an id that is none */
  bytes(id: number): Uint8Array {
    const length = this.length(id);
    const start = this.#spans[2 * id + 1] as number;
    return this.#bytes.subarray(start, start + length);
  }

  /**
   * The bytes of several tokens, one behind the other.
   * @throws RangeError for an id that is none
   */
  join(ids: ArrayLike<number>, from: number, to: number): Buffer {
    let total = 0;
    for (let index = from; index < to; index++) total += this.length(ids[index] as number);
    const joined = Buffer.allocUnsafe(total);
    const all = this.#bytes;
    const spans = this.#spans;
    let at = 0;
    for (let index = from; index < to; index++) {
      const id = ids[index] as number;
      const start = spans[2 * id + 1] as number;
      const end = start + (spans[2 * id] as number);
      for (let byte = start; byte < end; byte++) joined[at++] = all[byte] as number;
    }
    return joined;
  }

  #place(id: number, start: number, length: number): number {
    this.#spans[2 * id] = length;
    this.#spans[2 * id + 1] = start;
    return start + length;
  }
}
