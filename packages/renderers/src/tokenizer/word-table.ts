/** Words at most. */
const most = 2 ** 15;
/** Twice as many, so that a word is found within a step or two. */
const places = 2 * most;
/** What all words may have together. */
const mostBytes = 16 * most;
const mostIds = 2 * most;

/** Words as bytes with their ids, in a few arrays: nothing that the collector would walk or move. */
export class WordTable {
  /** Four numbers a place: hash, where the bytes are, how many bytes and ids (0: none), where the ids are. */
  readonly #places = new Int32Array(4 * places);
  readonly #bytes = new Uint8Array(mostBytes);
  readonly #ids = new Int32Array(mostIds);
  #words = 0;
  #usedBytes = 0;
  #usedIds = 0;

  /** @returns the place of a word, −1 when it is not known */
  find(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const table = this.#places;
    const length = to - from;
    for (let at = placeOf(hash); ; at = (at + 4) & last) {
      const lengths = table[at + 2] as number;
      if (lengths === 0) return -1;
      if (table[at] === hash && lengths >> 16 === length) {
        const before = (table[at + 1] as number) - from;
        let index = from;
        while (index < to && bytes[index] === this.#bytes[before + index]) index++;
        if (index === to) return at;
      }
    }
  }

  /** Copies the ids of the word at a place. @returns how many there are */
  read(place: number, ids: Int32Array, at: number): number {
    const count = (this.#places[place + 2] as number) & 0xffff;
    const from = this.#places[place + 3] as number;
    for (let index = 0; index < count; index++) ids[at + index] = this.#ids[from + index] as number;
    return count;
  }

  /** Takes a word that it does not know, with its ids. @returns false when there is no room */
  add(word: Uint8Array, hash: number, ids: Int32Array): boolean {
    const [start, first] = [this.#usedBytes, this.#usedIds];
    if (this.#words === most || start + word.length > mostBytes || first + ids.length > mostIds) {
      return false;
    }
    const table = this.#places;
    let at = placeOf(hash);
    while (table[at + 2] !== 0) at = (at + 4) & last;
    table[at] = hash;
    table[at + 1] = start;
    table[at + 2] = (word.length << 16) | ids.length;
    table[at + 3] = first;
    this.#bytes.set(word, start);
    this.#ids.set(ids, first);
    this.#words++;
    this.#usedBytes += word.length;
    this.#usedIds += ids.length;
    return true;
  }

  clear(): void {
    this.#places.fill(0);
    [this.#words, this.#usedBytes, this.#usedIds] = [0, 0, 0];
  }
}

const last = 4 * places - 1;

function placeOf(hash: number): number {
  return (hash << 2) & last;
}
