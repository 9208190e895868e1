import type { EpisodeRecord } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { trlRows } from '@vf/export-trl';
import type { TrlRow } from '@vf/export-trl';
import { episodes } from '@vf/store';

/**
 * The samples of runs as TRL takes them, by task and attempt, whatever order they were played in.
 * @throws Error when a rollout gave no sample
 */
export async function samplesOf(
  runs: readonly string[],
  signal: AbortSignal,
): Promise<readonly TrlRow[]> {
  const rows: TrlRow[] = [];
  for (const run of runs) {
    const omit = ({ task, attempt, reason }: { task: string; attempt: number; reason: string }) => {
      throw new Error(`rollout ${attempt} at ${task} in ${run} gives no sample: ${reason}`);
    };
    for await (const row of trlRows({ episodes: recordsOf(run, signal), omit })) rows.push(row);
  }
  return rows.toSorted(
    (one, other) => compare(one.task, other.task) || one.attempt - other.attempt,
  );
}

async function* recordsOf(run: string, signal: AbortSignal): AsyncGenerator<EpisodeRecord, void> {
  for await (const episode of episodes(run, { signal })) yield encodeEpisode(episode);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
