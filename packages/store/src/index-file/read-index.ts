import { openToRead } from '../files/plain-file.ts';
import { lineBatches } from '../files/read-lines.ts';
import type { Line } from '../files/read-lines.ts';
import { pathIn } from '../folder/layout.ts';
import { readGroups } from '../groups.ts';
import type { StoredGroup } from '../groups.ts';
import type { IndexEntry } from '../index-entry.ts';
import { entryOf, headOf, isDamagedLine } from './entry-line.ts';
import type { DamagedLine, EntryHead } from './entry-line.ts';
import { fromRecord } from './entry-record.ts';
import type { EntryRecord } from './entry-record.ts';
import { joinGroup } from './join-group.ts';
import { scanIndex } from './scan-index.ts';
import { scanLine, scanTraces } from './scan-traces.ts';

/**
 * One entry per task and attempt, the last one, with the scores of its group; in the order of the file.
 * What the index lacks is read from `traces.jsonl`; nothing is written. Without a `traces.jsonl` the index is all
 * there is.
 * @throws VfError store/newer_version, store/damaged
 */
export async function readIndex(dir: string): Promise<IndexEntry[]> {
  const entries: IndexEntry[] = [];
  // A batch may be all of a run: as arguments of one call they would not fit on the stack.
  for await (const batch of readIndexStream(dir)) for (const entry of batch) entries.push(entry);
  return entries;
}

/** The entries of `readIndex` some hundred at a time, in memory that does not grow with their size. */
export async function* readIndexStream(dir: string): AsyncGenerator<readonly IndexEntry[], void> {
  const groups = await readGroups(dir);
  const winners = new Winners();
  const add = (head: EntryHead | DamagedLine): void => {
    if (!isDamagedLine(head)) winners.add(head);
  };
  const { indexEnd, tracesEnd } = await scanIndex(dir, add, { mayLackTraces: true });
  const tail: IndexEntry[] = [];
  for await (const entry of scanTraces(dir, tracesEnd)) {
    if (isDamagedLine(entry)) continue;
    winners.add(entry);
    tail.push(entry);
  }
  for (const group of groups.values()) if (winners.hasNewer(group)) groups.delete(group.task);
  const finish = (entries: readonly (IndexEntry | null)[]): IndexEntry[] =>
    entries.flatMap((entry) =>
      entry !== null && winners.has(entry) ? [joined(entry, groups)] : [],
    );
  for await (const entries of indexedEntries(dir, indexEnd)) yield finish(entries);
  if (tail.length > 0) yield finish(tail);
}

/** Where the last line of each task and attempt stands. */
class Winners {
  /** By task, then at the attempt's number. */
  readonly #offsets = new Map<string, number[]>();

  add({ task, attempt, offset }: EntryHead): void {
    const attempts = this.#offsets.get(task);
    if (attempts !== undefined) attempts[attempt] = offset;
    else {
      const first: number[] = [];
      first[attempt] = offset;
      this.#offsets.set(task, first);
    }
  }

  has({ task, attempt, offset }: EntryHead): boolean {
    return this.#offsets.get(task)?.[attempt] === offset;
  }

  /** Was a member played again after the group was scored? Then its scores are of other episodes. */
  hasNewer({ task, attempts, tracesEnd }: StoredGroup): boolean {
    const offsets = this.#offsets.get(task);
    return attempts.some((attempt) => (offsets?.[attempt] ?? 0) >= tracesEnd);
  }
}

function joined(entry: IndexEntry, groups: ReadonlyMap<string, StoredGroup>): IndexEntry {
  const group = groups.get(entry.task);
  return group === undefined ? entry : joinGroup(entry, group);
}

/** The entries of the index's first `end` bytes; null for the mark of a damaged line. */
async function* indexedEntries(
  dir: string,
  end: number,
): AsyncGenerator<readonly (IndexEntry | null)[], void> {
  if (end === 0) return;
  for await (const lines of lineBatches(pathIn(dir, 'index'))) {
    const trusted = lines.filter(({ offset }) => offset < end);
    if (trusted.length === 0) return;
    for (let from = 0; from < trusted.length; from += atOnce) {
      const some = trusted.slice(from, from + atOnce);
      yield parseAll(some) ?? (await Promise.all(some.map((line) => entryOrEpisode(dir, line))));
    }
  }
}

/** So few lines that their entries are garbage before a collection would move them to memory that is kept longer. */
const atOnce = 256;

/** Many lines as one JSON text take a third less time than one by one; null when one of them does not hold. */
function parseAll(lines: readonly Line[]): readonly (IndexEntry | null)[] | null {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return [];
  // Lines of a batch stand one after the other in one piece of memory; inside JSON there is no newline.
  const { buffer, byteOffset } = first.bytes;
  const end = last.bytes.byteOffset + last.bytes.length;
  const text = Buffer.from(buffer, byteOffset, end - byteOffset).toString('utf8');
  try {
    const values = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as readonly (
      | EntryRecord
      | IndexEntry
    )[];
    return values.length === lines.length
      ? values.map((value) => (isDamagedLine(value) ? null : fromRecord(value)))
      : null;
  } catch {
    return null;
  }
}

/** An index line whose rest is damaged still says where its episode stands. */
async function entryOrEpisode(dir: string, { bytes }: Line): Promise<IndexEntry | null> {
  const entry = entryOf(bytes.toString('utf8'));
  if (entry !== null) return entry;
  const head = headOf(bytes);
  if (head === null || isDamagedLine(head)) return null;
  const file = await openToRead(pathIn(dir, 'traces'));
  if (file === null) return null;
  try {
    const line = Buffer.alloc(head.length);
    await file.read(line, 0, head.length, head.offset);
    const scanned = scanLine(line.toString('utf8'), head);
    return isDamagedLine(scanned) ? null : scanned;
  } finally {
    await file.close();
  }
}
