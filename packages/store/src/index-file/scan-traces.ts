import { basename } from 'node:path';
import { decodeEpisode } from '@vf/core/trace';
import type { Episode } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { linesOf } from '../files/read-lines.ts';
import type { LinePlace } from '../files/line-file.ts';
import { pathIn } from '../folder/layout.ts';
import type { IndexEntry } from '../index-entry.ts';
import type { DamagedLine } from './entry-line.ts';
import { indexEntryOf } from './index-entry-of.ts';

/**
 * An episode of `traces.jsonl` that the index names.
 * @throws VfError store/damaged saying where the line is, store/newer_version
 */
export function parseEpisodeAt(dir: string, { offset }: LinePlace, line: string): Episode {
  try {
    return parseEpisode(line);
  } catch (error) {
    if (!VfError.isInstance(error) || error.code !== 'store/damaged') throw error;
    throw new VfError(
      'store/damaged',
      `${pathIn(dir, 'traces')}, the line at byte ${offset}: ${error.message}`,
      {
        cause: error,
        hint: `vf resume ${basename(dir)} --check finds all such lines and plays their episodes again`,
      },
    );
  }
}

/** @throws VfError store/damaged, store/newer_version */
function parseEpisode(line: string): Episode {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch (cause) {
    throw new VfError('store/damaged', 'the line is not JSON', { cause });
  }
  return decodeEpisode(record as Parameters<typeof decodeEpisode>[0]);
}

/**
 * Index entries of the whole lines of `traces.jsonl` from a byte on, read from the episodes themselves.
 * @throws VfError store/newer_version
 */
export async function* scanTraces(
  dir: string,
  from: number,
): AsyncGenerator<IndexEntry | DamagedLine, void> {
  for await (const line of linesOf(pathIn(dir, 'traces'), from)) {
    if (!line.isWhole) return;
    yield scanLine(line.bytes.toString('utf8'), line);
  }
}

/** @throws VfError store/newer_version */
export function scanLine(text: string, { offset, length }: LinePlace): IndexEntry | DamagedLine {
  try {
    return indexEntryOf(parseEpisode(text), { offset, length });
  } catch (error) {
    if (!VfError.isInstance(error) || error.code !== 'store/damaged') throw error;
    return { offset, length, damaged: error.message };
  }
}
