import type { EpisodeRecord } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { trlRows } from '@vf/export-trl';
import type { TrlRow } from '@vf/export-trl';
import { episodes } from '@vf/store';

/** The samples of runs, and how many rollouts gave none. */
export interface Samples {
  /** As TRL takes them, by task and attempt, whatever order they were played in. */
  readonly rows: readonly TrlRow[];
  /** The engine could not tell their logprobs, so there is nothing to train on and no reward. */
  readonly leftOut: number;
}

export async function samplesOf(runs: readonly string[], signal: AbortSignal): Promise<Samples> {
  const rows: TrlRow[] = [];
  let leftOut = 0;
  const omit = (): void => void leftOut++;
  for (const run of runs) {
    for await (const row of trlRows({ episodes: recordsOf(run, signal), omit })) rows.push(row);
  }
  const sorted = rows.toSorted(
    (one, other) => compare(one.task, other.task) || one.attempt - other.attempt,
  );
  return { rows: sorted, leftOut };
}

async function* recordsOf(run: string, signal: AbortSignal): AsyncGenerator<EpisodeRecord, void> {
  for await (const episode of episodes(run, { signal })) yield encodeEpisode(episode);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
