import type { TextBytes } from './text-bytes.ts';
import { WordKey } from './word-key.ts';
import { WordTable } from './word-table.ts';

/** Bytes; longer words hardly come again. */
const longest = 48;

/** Ids of words that were met before. Holds those of the last tens of thousands of words, and those used since. */
export class WordCache {
  #young = new WordTable();
  #old = new WordTable();
  readonly #key = new WordKey();

  /** Copies the ids of a word to `ids` from `at` on. @returns how many there are; 0: the word is not known */
  read(text: TextBytes, from: number, to: number, ids: Int32Array, at: number): number {
    if (to - from > longest) return 0;
    const key = this.#key;
    key.set(text, from, to);
    const { bytes } = text;
    const young = this.#young.find(key, bytes, from, to);
    if (young >= 0) return this.#young.read(young, ids, at);
    const old = this.#old.find(key, bytes, from, to);
    if (old < 0) return 0;
    const count = this.#old.read(old, ids, at);
    this.#add(bytes.subarray(from, to), ids.subarray(at, at + count));
    return count;
  }

  /** Keeps the ids of a word that is not known. */
  set(text: TextBytes, from: number, to: number, ids: Int32Array): void {
    if (to - from > longest) return;
    this.#key.set(text, from, to);
    this.#add(text.bytes.subarray(from, to), ids);
  }

  /** The word that the key is of. */
  #add(word: Uint8Array, ids: Int32Array): void {
    if (this.#young.add(this.#key, word, ids)) return;
    [this.#old, this.#young] = [this.#young, this.#old];
    this.#young.clear();
    this.#young.add(this.#key, word, ids);
  }
}
