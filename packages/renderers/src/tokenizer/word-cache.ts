import { WordTable } from './word-table.ts';

/** Bytes; longer words hardly come again. */
const longest = 48;

/** Ids of words that were met before. Holds those of the last tens of thousands of words, and those used since. */
export class WordCache {
  #young = new WordTable();
  #old = new WordTable();

  /** Copies the ids of a word to `ids` from `at` on. @returns how many there are; 0: the word is not known */
  read(bytes: Uint8Array, from: number, to: number, ids: Int32Array, at: number): number {
    if (to - from > longest) return 0;
    const hash = hashOf(bytes, from, to);
    const young = this.#young.find(bytes, from, to, hash);
    if (young >= 0) return this.#young.read(young, ids, at);
    const old = this.#old.find(bytes, from, to, hash);
    if (old < 0) return 0;
    const count = this.#old.read(old, ids, at);
    this.#add(bytes.subarray(from, to), hash, ids.subarray(at, at + count));
    return count;
  }

  /** Keeps the ids of a word that is not known. */
  set(bytes: Uint8Array, from: number, to: number, ids: Int32Array): void {
    if (to - from > longest) return;
    this.#add(bytes.subarray(from, to), hashOf(bytes, from, to), ids);
  }

  #add(word: Uint8Array, hash: number, ids: Int32Array): void {
    if (this.#young.add(word, hash, ids)) return;
    [this.#old, this.#young] = [this.#young, this.#old];
    this.#young.clear();
    this.#young.add(word, hash, ids);
  }
}

/** FNV-1a, its high bits mixed into the low ones. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
