import { byteCharacters } from './byte-level.ts';
import { PairRanks } from './pair-ranks.ts';
import { RankHeap } from './rank-heap.ts';

/** What merging goes by. */
export interface Merging {
  /** Ids of tokens in the alphabet of byte-level BPE. */
  readonly ids: ReadonlyMap<string, number>;
  /** `"left right"` or `[left, right]`. */
  readonly merges: readonly (string | readonly [string, string])[];
  /** A word that is a token is that token, whatever its merges come to. */
  readonly ignoreMerges: boolean;
}

/** Byte-pair encoding of one word, in ids throughout: the lowest rank first, of equals the leftmost. */
export class WordMerger {
  /** Ids of the alphabet's characters, by their codes. */
  readonly #symbols: Int32Array;
  readonly #ranks: PairRanks;
  /** Null where merges go first: a vocabulary that is not held is not walked by the collector either. */
  readonly #words: ReadonlyMap<string, number> | null;
  readonly #heap = new RankHeap();

  /** @returns null for merges of or into what is no token */
  static from({ ids, merges, ignoreMerges }: Merging): WordMerger | null {
    const ranks = new PairRanks(merges.length);
    for (const [rank, merge] of merges.entries()) {
      const [left = '', right = ''] = typeof merge === 'string' ? merge.split(' ', 2) : merge;
      const [from, to, merged] = [ids.get(left), ids.get(right), ids.get(left + right)];
      if (from === undefined || to === undefined || merged === undefined) return null;
      ranks.add(from, to, rank, merged);
    }
    return new WordMerger(ids, ranks, ignoreMerges);
  }

  private constructor(ids: ReadonlyMap<string, number>, ranks: PairRanks, ignoreMerges: boolean) {
    this.#symbols = new Int32Array(0x200);
    for (const character of byteCharacters) {
      this.#symbols[character.charCodeAt(0)] = ids.get(character) as number;
    }
    this.#ranks = ranks;
    this.#words = ignoreMerges ? ids : null;
  }

  /** @param word in the alphabet of byte-level BPE, each character of which is a token */
  encode(word: string): readonly number[] {
    const whole = this.#words?.get(word);
    if (whole !== undefined) return [whole];
    const ids = new Int32Array(word.length);
    for (let at = 0; at < word.length; at++) {
      ids[at] = this.#symbols[word.charCodeAt(at)] as number;
    }
    return this.#merge(ids);
  }

  #merge(ids: Int32Array): readonly number[] {
    const count = ids.length;
    const next = new Int32Array(count);
    const before = new Int32Array(count);
    for (let at = 0; at < count; at++) [next[at], before[at]] = [at + 1, at - 1];
    const ranks = this.#ranks;
    const heap = this.#heap;
    const offer = (at: number): void => {
      const right = next[at] as number;
      if (right >= count) return;
      const rank = ranks.rank(ids[at] as number, ids[right] as number);
      if (rank >= 0) heap.push(rank, at);
    };
    for (let at = 0; at < count; at++) offer(at);
    while (heap.pop()) {
      const { rank, place: at } = heap;
      const right = next[at] as number;
      // A pair that one of its sides has left since has another rank, or none.
      if (ids[at] === gone || right >= count) continue;
      if (ranks.rank(ids[at] as number, ids[right] as number) !== rank) continue;
      ids[at] = ranks.merged();
      ids[right] = gone;
      const after = next[right] as number;
      next[at] = after;
      if (after < count) before[after] = at;
      if ((before[at] as number) >= 0) offer(before[at] as number);
      offer(at);
    }
    return Array.from(ids).filter((id) => id !== gone);
  }
}

const gone = -1;
