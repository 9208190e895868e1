import { WordCache } from './word-cache.ts';
import type { WordMerger } from './word-merger.ts';
import type { Split, TakeWord } from './split.ts';

/** Bytes of UTF-8 that a unit of a string can have; no text has more ids than bytes. */
const bytesOfUnit = 3;
/** Ids of texts for which nothing is allocated. */
const usualIds = bytesOfUnit * 2 ** 16;

/** Encodes text word by word; a word that was met before is looked up. */
export class WordEncoder {
  readonly #split: Split;
  readonly #merger: WordMerger;
  readonly #known = new WordCache();
  readonly #usual = new Int32Array(usualIds);
  #ids = this.#usual;
  #count = 0;

  /** @param split text into words, as the tokenizer does before it merges */
  constructor(split: Split, merger: WordMerger) {
    this.#split = split;
    this.#merger = merger;
  }

  encode(text: string): Int32Array {
    const most = bytesOfUnit * text.length;
    this.#ids = most <= usualIds ? this.#usual : new Int32Array(most);
    this.#count = 0;
    this.#split(text, this.#take);
    return this.#ids.slice(0, this.#count);
  }

  readonly #take: TakeWord = (text, from, to) => {
    const ids = this.#ids;
    const start = this.#count;
    const known = this.#known.read(text, from, to, ids, start);
    this.#count += known;
    if (known > 0) return;
    this.#count = this.#merger.encode(text.bytes, from, to, ids, start);
    // A word of bytes that are no tokens has no ids, which is what the cache says of a word that it does not know.
    if (this.#count > start) this.#known.set(text, from, to, ids.subarray(start, this.#count));
  };
}
