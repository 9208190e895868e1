import { open } from 'node:fs/promises';
import type { Episode } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { orMissing } from './files/disk-error.ts';
import type { LinePlace } from './files/line-file.ts';
import { pathIn } from './folder/layout.ts';
import { parseEpisode } from './index-file/scan-traces.ts';
import { readIndexStream } from './index-file/read-index.ts';

/**
 * One episode by its place in the index.
 * @throws VfError store/not_found, store/damaged, store/newer_version
 */
export async function readEpisode(dir: string, place: LinePlace): Promise<Episode> {
  return parseEpisode(await readEpisodeLine(dir, place));
}

/** The stored line of one episode, as it stands. @throws VfError store/not_found */
export async function readEpisodeLine(dir: string, { offset, length }: LinePlace): Promise<string> {
  const file = await orMissing(() => open(pathIn(dir, 'traces')));
  if (file === null) {
    throw new VfError('store/not_found', `${dir} has no traces.jsonl`, {
      hint: 'vf show lists the runs',
    });
  }
  try {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, offset);
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}

/**
 * The episodes of a run that count: the last of each task and attempt, one in memory at a time.
 * @throws VfError store/damaged, store/newer_version
 */
export async function* episodes(dir: string): AsyncGenerator<Episode, void> {
  for await (const entries of readIndexStream(dir)) {
    for (const entry of entries) yield await readEpisode(dir, entry);
  }
}
