import { charactersOf } from './byte-level.ts';
import { WordCache } from './word-cache.ts';
import type { WordMerger } from './word-merger.ts';

/** Encodes text word by word; a word that was met before is looked up. */
export class WordEncoder {
  readonly #split: (text: string) => readonly string[];
  readonly #merger: WordMerger;
  readonly #known = new WordCache();

  /** @param split text into words, as the tokenizer does before it merges */
  constructor(split: (text: string) => readonly string[], merger: WordMerger) {
    this.#split = split;
    this.#merger = merger;
  }

  encode(text: string): readonly number[] {
    const ids: number[] = [];
    for (const word of this.#split(text)) {
      const own = this.#known.get(word) ?? this.#learn(word);
      if (typeof own === 'number') ids.push(own);
      else for (const id of own) ids.push(id);
    }
    return ids;
  }

  #learn(word: string): number | readonly number[] {
    const merged = this.#merger.encode(charactersOf(Buffer.from(word)));
    const [only] = merged;
    const ids = merged.length === 1 && only !== undefined ? only : merged;
    this.#known.set(word, ids);
    return ids;
  }
}
