import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEpisode, encodeEpisode, episodeToLine } from '../src/trace/index.ts';
import { contentsOf, episode } from './episodes.ts';

describe('any episode', () => {
  it('comes back from its line as it was, and has the same line again [record/round-trip] [record/unknown-kept]', () => {
    fc.assert(
      fc.property(episode, (given) => {
        const record = JSON.parse(episodeToLine(given)) as Record<string, unknown>;
        const back = decodeEpisode(record);
        expect(contentsOf(back)).toEqual(contentsOf(given));
        expect(encodeEpisode(back)).toEqual(record);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
