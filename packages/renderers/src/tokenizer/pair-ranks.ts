/** Which pairs of tokens merge, in which order, and into what: a table of numbers, since every new word asks it. */
export class PairRanks {
  readonly #mask: number;
  /** Left id, right id, rank and merged id of each pair; a left id of −1 is an empty place. */
  readonly #table: Int32Array;
  /** Where the pair stands that was found last. */
  #found = 0;

  constructor(pairs: number) {
    const places = 2 ** Math.ceil(Math.log2(Math.max(1, pairs) * 2));
    this.#mask = places - 1;
    this.#table = new Int32Array(places * 4).fill(-1);
  }

  /** A pair that is there already keeps the later rank, as in the list of merges of a tokenizer. */
  add(left: number, right: number, rank: number, merged: number): void {
    const at = this.#placeOf(left, right);
    this.#table[at] = left;
    this.#table[at + 1] = right;
    this.#table[at + 2] = rank;
    this.#table[at + 3] = merged;
  }

  /** The rank of a pair, −1 when it does not merge. */
  rank(left: number, right: number): number {
    this.#found = this.#placeOf(left, right);
    return this.#table[this.#found + 2] as number;
  }

  /** What the pair merges into that `rank` was asked for last. */
  merged(): number {
    return this.#table[this.#found + 3] as number;
  }

  #placeOf(left: number, right: number): number {
    const table = this.#table;
    let place = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca77)) >>> 0;
    for (place = (place ^ (place >>> 15)) & this.#mask; ; place = (place + 1) & this.#mask) {
      const at = place * 4;
      const there = table[at] as number;
      if (there === -1 || (there === left && table[at + 1] === right)) return at;
    }
  }
}
