import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Trace } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { decodeTrace } from '@vf/core/trace';
import { orMissing } from '../files/disk-error.ts';
import { linesOf } from '../files/read-lines.ts';
import { pathIn } from '../folder/layout.ts';
import { storedEpisodes } from '../index-file/stored-episodes.ts';
import { parseJournalLine } from './journal-line.ts';
import type { JournalLine } from './journal-line.ts';

/** A rollout that is in no line of `traces.jsonl`: in progress, killed or cancelled. */
export interface JournaledTrace {
  readonly episode: string;
  readonly attempt: number;
  /** As far as it went; not finished, not scored. */
  readonly trace: Trace;
}

/** Traces that the journals of a run hold beyond its episodes, oldest first; those that do not hold are left out. */
export async function* readJournals(dir: string): AsyncGenerator<JournaledTrace, void> {
  const stored = await storedEpisodes(dir);
  const lines = new Map<string, JournalLine[]>();
  for (const path of await journalFiles(dir)) {
    for await (const { bytes } of linesOf(path)) {
      const line = parseJournalLine(bytes.toString('utf8'));
      if (line !== null && !stored.has(line.episode)) addLine(lines, line);
    }
  }
  for (const [first, ...rest] of lines.values()) {
    const trace = first === undefined ? null : traceOf(first, rest);
    if (first !== undefined && trace !== null) {
      yield { episode: first.episode, attempt: first.attempt, trace };
    }
  }
}

/** Files of a run's journal, oldest first. */
export async function journalFiles(dir: string): Promise<string[]> {
  const folder = pathIn(dir, 'journal');
  const found = (await orMissing(() => readdir(folder, { withFileTypes: true }))) ?? [];
  return found
    .filter((one) => one.isFile() && one.name.endsWith('.jsonl'))
    .map(({ name }) => name)
    .sort(compareNumbers)
    .map((name) => join(folder, name));
}

/** Names end in a count of digits, so 10 comes after 9. */
function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** A journal that was written anew starts over with the whole trace; the older file may still be there. */
function addLine(lines: Map<string, JournalLine[]>, line: JournalLine): void {
  const known = lines.get(line.trace);
  if (line.record !== undefined) lines.set(line.trace, [line]);
  else known?.push(line);
}

function traceOf(first: JournalLine, rest: readonly JournalLine[]): Trace | null {
  try {
    return decodeTrace(
      first.record ?? {},
      rest.map(({ turns }) => turns ?? {}),
    );
  } catch (error) {
    if (VfError.isInstance(error) && error.code === 'store/damaged') return null;
    throw error;
  }
}
