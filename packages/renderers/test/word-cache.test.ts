import { array, assert, integer, property, tuple, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextBytes } from '../src/tokenizer/text-bytes.ts';
import { WordCache } from '../src/tokenizer/word-cache.ts';

const usualIds = 64;

const text = new TextBytes();

/** A text with a word in it. */
function around(word: Uint8Array, padding: number): TextBytes {
  text.write(`${' '.repeat(padding)}${Buffer.from(word).toString('latin1')}`);
  return text;
}

/** The ids that the cache has of a word; none when it does not know it. */
function read(cache: WordCache, word: Uint8Array, padding = 0): readonly number[] {
  const ids = new Int32Array(usualIds);
  const end = padding + word.length;
  const count = cache.read(around(word, padding), padding, end, ids, padding);
  return Array.from(ids.subarray(padding, padding + count));
}

function set(cache: WordCache, word: Uint8Array, ids: readonly number[]): void {
  cache.set(around(word, 0), 0, word.length, Int32Array.from(ids));
}

/** Small bytes, so that words begin and end alike. */
const word = uint8Array({ minLength: 1, maxLength: 60, max: 3 });
const ids = array(integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 5 });

describe('a cache of words', () => {
  it('knows those it was told up to 48 bytes, wherever they stand, and no others', () => {
    assert(
      property(array(tuple(word, ids), { maxLength: 40 }), array(word), (told, others) => {
        const cache = new WordCache();
        const known = new Map<string, readonly number[]>();
        for (const [bytes, list] of told) {
          const key = bytes.toString();
          if (known.has(key)) continue;
          set(cache, bytes, list);
          known.set(key, bytes.length > 48 ? [] : list);
        }
        for (const bytes of [...told.map(([key]) => key), ...others]) {
          const expected = known.get(bytes.toString()) ?? [];
          expect(read(cache, bytes)).toEqual(expected);
          expect(read(cache, bytes, 5)).toEqual(expected);
        }
      }),
    );
  });

  it('lets go of old words, keeps those in use, and never mixes them up', () => {
    const cache = new WordCache();
    const words = 100_000;
    const wordOf = (index: number): Buffer => Buffer.from(`word ${index}`);
    const lists: (readonly number[])[] = [];
    for (let index = 0; index < words; index++) {
      lists.push(read(cache, wordOf(index)));
      set(cache, wordOf(index), [index, index + 1]);
      if (index % 1000 === 0) lists.push(read(cache, wordOf(0)));
    }
    const again = lists.filter((list) => list.length > 0);
    expect(again).toEqual(Array.from({ length: words / 1000 }, () => [0, 1]));
    const found = Array.from({ length: words }, (_, index) => read(cache, wordOf(index)));
    const kept = [...found.keys()].filter((index) => found[index]?.length !== 0);
    expect(kept.map((index) => found[index])).toEqual(kept.map((index) => [index, index + 1]));
    expect(kept[0]).toBe(0);
    expect(kept.at(-1)).toBe(words - 1);
    expect(kept.length).toBeGreaterThan(2 ** 15);
    expect(kept.length).toBeLessThanOrEqual(2 ** 16);
  });
});
