import type { Episode } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { readError } from './files/disk-error.ts';
import type { LinePlace } from './files/line-file.ts';
import { openToRead } from './files/plain-file.ts';
import { pathIn } from './folder/layout.ts';
import type { IndexEntry } from './index-entry.ts';
import { parseEpisodeAt } from './index-file/scan-traces.ts';
import { readIndexStream } from './index-file/read-index.ts';

/**
 * One episode by its place in the index.
 * @throws VfError store/not_found, store/damaged, store/newer_version
 */
export async function readEpisode(dir: string, place: LinePlace): Promise<Episode> {
  return parseEpisodeAt(dir, place, await readEpisodeLine(dir, place));
}

/** The stored line of one episode, as it stands. @throws VfError store/not_found, store/damaged */
export async function readEpisodeLine(dir: string, { offset, length }: LinePlace): Promise<string> {
  const path = pathIn(dir, 'traces');
  const file = await openToRead(path);
  if (file === null) {
    throw new VfError('store/not_found', `${dir} has no traces.jsonl`, {
      hint: 'vf show lists the runs',
    });
  }
  try {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, offset);
    return bytes.toString('utf8');
  } catch (error) {
    throw readError(error, path);
  } finally {
    await file.close();
  }
}

/**
 * The episodes of a run that count: the last of each task and attempt, one in memory at a time. Scores of
 * their groups are among the rewards of their first traces.
 * @throws VfError store/damaged, store/newer_version, and the signal's reason once it aborts
 */
export async function* episodes(
  dir: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Episode, void> {
  signal?.throwIfAborted();
  for await (const entries of readIndexStream(dir)) {
    for (const entry of entries) {
      signal?.throwIfAborted();
      yield await readScoredEpisode(dir, entry);
    }
  }
}

/**
 * An episode with the scores of its group, as `episodes` gives it.
 * @throws VfError store/not_found, store/damaged, store/newer_version
 */
export async function readScoredEpisode(dir: string, entry: IndexEntry): Promise<Episode> {
  return withGroupScores(await readEpisode(dir, entry), entry);
}

/** What the entry has and no trace does came from the group. */
function withGroupScores(episode: Episode, { rewards, weights }: IndexEntry): Episode {
  const [first] = episode.traces;
  const own = new Set(episode.traces.flatMap((trace) => Object.keys(trace.rewards)));
  for (const [name, score] of Object.entries(rewards)) {
    if (first === undefined || own.has(name)) continue;
    first.rewards[name] = score === null ? null : { score, weight: weights[name] ?? 0 };
  }
  return episode;
}
