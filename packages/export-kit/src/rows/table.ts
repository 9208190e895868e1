import { rm } from 'node:fs/promises';
import type { EpisodeRecord } from '@vf/core';
import { decodeEpisode } from '@vf/core/trace';
import { readLines } from '../files/read-lines.ts';
import { writeJsonLines } from '../files/write-lines.ts';
import type { Column, Row } from './column.ts';
import { rolloutColumns, rolloutRow } from './rollout-row.ts';
import { turnColumns, turnRows } from './turn-row.ts';

export type TableKind = 'rollouts' | 'turns';

/** A table whose columns are all known; its rows are read from disk one at a time. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: () => AsyncIterable<Row>;
}

/**
 * Makes the flat table of `episodes` and hands it to `use`. Names of rewards and metrics are known only when all have
 * been seen, so the rows wait in a file beside `path` meanwhile; memory stays flat.
 */
export async function withTable<T>(
  episodes: AsyncIterable<EpisodeRecord>,
  kind: TableKind,
  path: string,
  signal: AbortSignal,
  use: (table: Table) => Promise<T>,
): Promise<T> {
  const spool = `${path}.rows`;
  const scores = new Set<string>();
  const fixed = kind === 'rollouts' ? rolloutColumns : turnColumns;
  const known = new Set(fixed.map(({ name }) => name));
  async function* rows(): AsyncGenerator<Row, void> {
    for await (const row of rowsOf(episodes, kind)) {
      for (const name of Object.keys(row)) if (!known.has(name)) scores.add(name);
      yield row;
    }
  }
  try {
    await writeJsonLines(spool, rows(), signal);
    const more = [...scores].sort().map((name): Column => ({ name, type: 'number' }));
    return await use({ columns: [...fixed, ...more], rows: () => readRows(spool, signal) });
  } finally {
    await rm(spool, { force: true });
  }
}

async function* rowsOf(
  episodes: AsyncIterable<EpisodeRecord>,
  kind: TableKind,
): AsyncGenerator<Row, void> {
  for await (const record of episodes) {
    const episode = decodeEpisode(record);
    for (const trace of episode.traces) {
      if (kind === 'rollouts') yield rolloutRow(episode, trace);
      else yield* turnRows(episode, trace);
    }
  }
}

async function* readRows(path: string, signal: AbortSignal): AsyncGenerator<Row, void> {
  for await (const line of readLines(path)) {
    signal.throwIfAborted();
    yield JSON.parse(line) as Row;
  }
}
