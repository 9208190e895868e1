import type { EpisodeRecord } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import type { Secrets } from '@vf/run';
import { readIndexStream, readScoredEpisode } from '@vf/store';
import { entriesWhere } from '../show/episodes-view.ts';
import type { Term } from '../where/parse-where.ts';
import { maskRecord } from './mask-record.ts';

/** What an export has read so far. */
export interface ReadCounts {
  episodes: number;
  /** Values of secrets that were hidden, and in how many episodes. */
  masked: number;
  maskedEpisodes: number;
  /** Episodes with a hidden value whose token ids still spell it. */
  maskedWithTokens: number;
}

/** The episodes that meet every term, one in memory at a time, secrets masked; `counts` goes along. */
export async function* exportRecords(
  dir: string,
  terms: readonly Term[],
  { secrets, counts, signal }: { secrets: Secrets; counts: ReadCounts; signal: AbortSignal },
): AsyncGenerator<EpisodeRecord, void> {
  for await (const entries of entriesWhere(dir, terms, readIndexStream(dir))) {
    for (const entry of entries) {
      signal.throwIfAborted();
      const episode = await readScoredEpisode(dir, entry);
      const { record, count } = maskRecord(encodeEpisode(episode), secrets);
      counts.episodes++;
      counts.masked += count;
      if (count > 0) {
        const hasTokens = episode.traces.some((trace) =>
          trace.graph.nodes.some(({ tokens }) => tokens !== undefined),
        );
        counts.maskedEpisodes++;
        counts.maskedWithTokens += Number(hasTokens);
      }
      yield record;
    }
  }
}
