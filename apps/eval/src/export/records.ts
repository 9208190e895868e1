import type { EpisodeRecord } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import type { Secrets } from '@vf/run';
import { readIndexStream, readScoredEpisode } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import { entriesWhere } from '../show/episodes-view.ts';
import type { Term } from '../where/parse-where.ts';
import { maskRecord } from './mask-record.ts';
import { inPlanOrder } from './plan-order.ts';
import type { Planned } from './plan-order.ts';

/** What an export has read so far. */
export interface ReadCounts {
  episodes: number;
  /** Values of secrets that were hidden, and in how many episodes. */
  masked: number;
  maskedEpisodes: number;
  /** Episodes with a hidden value whose token ids still spell it. */
  maskedWithTokens: number;
}

/** The episodes that meet every term in the plan's order, one in memory at a time, secrets masked; `counts` goes along. */
export async function* exportRecords(
  dir: string,
  terms: readonly Term[],
  {
    secrets,
    counts,
    planned,
    signal,
  }: { secrets: Secrets; counts: ReadCounts; planned: Planned; signal: AbortSignal },
): AsyncGenerator<EpisodeRecord, void> {
  const found: IndexEntry[] = [];
  for await (const entries of entriesWhere(dir, terms, readIndexStream(dir))) {
    signal.throwIfAborted();
    for (const entry of entries) found.push(entry);
  }
  for (const entry of inPlanOrder(found, planned)) {
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
