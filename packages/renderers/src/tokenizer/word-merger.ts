import { byteCharacters, charactersOf } from './byte-level.ts';
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

/** Bytes of a word whose pairs are looked at anew for each merge, which is faster than to keep them in order. */
const few = 32;

/** Byte-pair encoding of one word, in ids throughout: the lowest rank first, of equals the leftmost. */
export class WordMerger {
  /** Ids of the bytes; −1 for one that is no token, which is left out before its neighbours merge. */
  readonly #symbols: Int32Array;
  readonly #ranks: PairRanks;
  /** Null where merges go first: a vocabulary that is not held is not walked by the collector either. */
  readonly #words: ReadonlyMap<string, number> | null;
  readonly #heap = new RankHeap();
  /** Of each id of a short word with the next: the rank, and what they merge into. */
  readonly #fewRanks = new Int32Array(few);
  readonly #fewMerged = new Int32Array(few);

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
    this.#symbols = Int32Array.from(byteCharacters, (character) => ids.get(character) ?? gone);
    this.#ranks = ranks;
    this.#words = ignoreMerges ? ids : null;
  }

  /**
   * Writes the ids of a word, at most as many as it has bytes, into `ids` from `start` on.
   * @returns where they end
   */
  encode(bytes: Uint8Array, from: number, to: number, ids: Int32Array, start: number): number {
    const whole = this.#words?.get(charactersOf(bytes.subarray(from, to)));
    if (whole !== undefined) {
      ids[start] = whole;
      return start + 1;
    }
    let end = start;
    for (let at = from; at < to; at++) {
      const id = this.#symbols[bytes[at] as number] as number;
      if (id !== gone) ids[end++] = id;
    }
    const word = ids.subarray(start, end);
    return start + (word.length > few ? this.#mergeMany(word) : this.#mergeFew(word));
  }

  /** Looks at all pairs for each merge. @returns how many ids are left, at the beginning */
  #mergeFew(ids: Int32Array): number {
    const ranks = this.#fewRanks;
    const merged = this.#fewMerged;
    let count = ids.length;
    for (let at = 0; at < count; at++) this.#rate(ids, at, count);
    while (count > 1) {
      let best = 0;
      for (let at = 1; at < count; at++) {
        if ((ranks[at] as number) < (ranks[best] as number)) best = at;
      }
      if (ranks[best] === none) return count;
      ids[best] = merged[best] as number;
      count--;
      for (let at = best + 1; at < count; at++) {
        ids[at] = ids[at + 1] as number;
        ranks[at] = ranks[at + 1] as number;
        merged[at] = merged[at + 1] as number;
      }
      if (best > 0) this.#rate(ids, best - 1, count);
      this.#rate(ids, best, count);
    }
    return count;
  }

  /** Looks up the pair that begins at `at`. */
  #rate(ids: Int32Array, at: number, count: number): void {
    const ranks = this.#ranks;
    const rank = at + 1 < count ? ranks.rank(ids[at] as number, ids[at + 1] as number) : gone;
    this.#fewRanks[at] = rank < 0 ? none : rank;
    this.#fewMerged[at] = ranks.merged();
  }

  /** Keeps the pairs in a heap. @returns how many ids are left, at the beginning */
  #mergeMany(ids: Int32Array): number {
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
    let left = 0;
    for (let at = 0; at < count; at++) if (ids[at] !== gone) ids[left++] = ids[at] as number;
    return left;
  }
}

const gone = -1;
/** Above every rank. */
const none = 2 ** 31 - 1;
