import { rm } from 'node:fs/promises';
import { linesOf } from '../files/read-lines.ts';
import { writeWhole } from '../files/write-whole.ts';
import { storedEpisodes } from '../index-file/stored-episodes.ts';
import { parseJournalLine } from './journal-line.ts';
import { journalFiles } from './read-journals.ts';

/** Takes out of the journals of ended sessions what is in `traces.jsonl`; only for who holds the lock. */
export async function tidyJournals(dir: string): Promise<void> {
  const paths = await journalFiles(dir);
  if (paths.length === 0) return;
  const stored = await storedEpisodes(dir);
  for (const path of paths) await tidy(path, stored);
}

async function tidy(path: string, stored: ReadonlySet<string>): Promise<void> {
  const kept: string[] = [];
  let isSame = true;
  for await (const { bytes, isWhole } of linesOf(path)) {
    const text = bytes.toString('utf8');
    const line = isWhole ? parseJournalLine(text) : null;
    if (line === null || stored.has(line.episode)) isSame = false;
    else kept.push(text);
  }
  if (kept.length === 0) await rm(path, { force: true });
  else if (!isSame) await writeWhole(path, `${kept.join('\n')}\n`);
}
