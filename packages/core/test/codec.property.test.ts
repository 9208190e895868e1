import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEpisode, encodeEpisode, episodeToLine } from '../src/trace/index.ts';
import { contentsOf, episode } from './episodes.ts';

describe('any episode', () => {
  it('comes back from its line as it was, unknown fields and all [record/round-trip] [record/unknown-kept]', () => {
    fc.assert(
      fc.property(episode, (given) => {
        const back = decodeEpisode(JSON.parse(episodeToLine(given)));
        expect(contentsOf(back)).toEqual(contentsOf(given));
      }),
      { numRuns: 300 },
    );
  });

  it('has the same line after a round trip [record/round-trip]', () => {
    fc.assert(
      fc.property(episode, (given) => {
        const record = JSON.parse(episodeToLine(given)) as object;
        expect(encodeEpisode(decodeEpisode({ ...record }))).toEqual(record);
      }),
      { numRuns: 300 },
    );
  });
});
