import { WordKey } from './word-key.ts';

/** Words at most. */
const most = 2 ** 15;
/** Twice as many, so that a word is found within a step or two. */
const places = 2 * most;
/** What all words that are longer than a key may have together. */
const mostBytes = 16 * most;
/** Ids of all words that have several. */
const mostIds = 2 * most;

/** Words as bytes with their ids, in a few arrays: nothing that the collector would walk or move. */
export class WordTable {
  /**
   * Four numbers a place: the first of the key; the second, or where the bytes are; how many bytes and ids (0: none);
   * the id, or where several are. A short word with one id is found by what stands at its place alone.
   */
  readonly #places = new Int32Array(4 * places);
  readonly #bytes = new Uint8Array(mostBytes);
  readonly #ids = new Int32Array(mostIds);
  #words = 0;
  #usedBytes = 0;
  #usedIds = 0;

  /** @returns the place of a word, −1 when it is not known */
  find(key: WordKey, bytes: Uint8Array, from: number, to: number): number {
    const table = this.#places;
    const length = to - from;
    const isWhole = WordKey.isWhole(length);
    for (let at = placeOf(key); ; at = (at + 4) & last) {
      const lengths = table[at + 2] as number;
      if (lengths === 0) return -1;
      if (table[at] !== key.first || lengths >> 16 !== length) continue;
      const second = table[at + 1] as number;
      if (isWhole ? second === key.second : this.#stands(second, bytes, from, to)) return at;
    }
  }

  #stands(start: number, bytes: Uint8Array, from: number, to: number): boolean {
    const before = start - from;
    let at = from;
    while (at < to && bytes[at] === this.#bytes[before + at]) at++;
    return at === to;
  }

  /** Copies the ids of the word at a place. @returns how many there are */
  read(place: number, ids: Int32Array, at: number): number {
    const count = (this.#places[place + 2] as number) & 0xffff;
    const value = this.#places[place + 3] as number;
    if (count === 1) ids[at] = value;
    else
      for (let index = 0; index < count; index++)
        ids[at + index] = this.#ids[value + index] as number;
    return count;
  }

  /** Takes a word that it does not know, with its ids. @returns false when there is no room */
  add(key: WordKey, word: Uint8Array, ids: Int32Array): boolean {
    const isWhole = WordKey.isWhole(word.length);
    const bytes = isWhole ? 0 : word.length;
    const several = ids.length === 1 ? 0 : ids.length;
    if (this.#words === most) return false;
    if (this.#usedBytes + bytes > mostBytes || this.#usedIds + several > mostIds) return false;
    const table = this.#places;
    let at = placeOf(key);
    while (table[at + 2] !== 0) at = (at + 4) & last;
    table[at] = key.first;
    table[at + 1] = isWhole ? key.second : this.#usedBytes;
    table[at + 2] = (word.length << 16) | ids.length;
    table[at + 3] = several === 0 ? (ids[0] as number) : this.#usedIds;
    if (!isWhole) this.#bytes.set(word, this.#usedBytes);
    if (several > 0) this.#ids.set(ids, this.#usedIds);
    this.#words++;
    this.#usedBytes += bytes;
    this.#usedIds += several;
    return true;
  }

  clear(): void {
    this.#places.fill(0);
    [this.#words, this.#usedBytes, this.#usedIds] = [0, 0, 0];
  }
}

const last = 4 * places - 1;

function placeOf({ place }: WordKey): number {
  return (place << 2) & last;
}
