import { stat } from 'node:fs/promises';
import { VfError } from '@vf/core/errors';
import { orMissing } from '../files/disk-error.ts';
import { lineBatches } from '../files/read-lines.ts';
import type { Line } from '../files/read-lines.ts';
import { pathIn } from '../folder/layout.ts';
import { entryOf, headOf, isDamagedLine } from './entry-line.ts';
import type { DamagedLine, EntryHead } from './entry-line.ts';

/** How far the index can be trusted: it names every line of `traces.jsonl` in order, without a gap. */
export interface IndexExtent {
  /** Bytes of the index whose lines hold. */
  readonly indexEnd: number;
  /** Bytes of `traces.jsonl` that they cover. */
  readonly tracesEnd: number;
}

export interface ScanOptions {
  /** Reads the rest of each line as well. Default: false. */
  readonly isThorough?: boolean;
  /** Takes the index at its word where there is no `traces.jsonl`, as in a folder copied without it. Default: false. */
  readonly mayLackTraces?: boolean;
}

/**
 * Reads the heads of the index's lines up to the first one that does not follow from the one before.
 * @throws VfError store/damaged when that is not the end and there is no `traces.jsonl` to go on with
 */
export async function scanIndex(
  dir: string,
  visit: (head: EntryHead | DamagedLine) => void,
  { isThorough = false, mayLackTraces = false }: ScanOptions = {},
): Promise<IndexExtent> {
  const traces = await orMissing(() => stat(pathIn(dir, 'traces')));
  const isAlone = traces === null && mayLackTraces;
  const size = traces?.size ?? (isAlone ? Infinity : 0);
  let indexEnd = 0;
  let tracesEnd = 0;
  for await (const lines of lineBatches(pathIn(dir, 'index'))) {
    for (const line of lines) {
      const head = line.isWhole ? headOf(line.bytes) : null;
      const end = head === null ? Infinity : head.offset + head.length + 1;
      if (head === null || head.offset !== tracesEnd || end > size) {
        if (isAlone && line.isWhole) throw unreadable(dir, line);
        return { indexEnd, tracesEnd };
      }
      if (isThorough && !isWholeEntry(line, head)) return { indexEnd, tracesEnd };
      visit(head);
      tracesEnd = end;
      indexEnd = line.offset + line.length + 1;
    }
  }
  return { indexEnd, tracesEnd };
}

function unreadable(dir: string, { offset }: Line): VfError {
  return new VfError(
    'store/damaged',
    `${pathIn(dir, 'index')} cannot be read from byte ${offset} on`,
    { hint: 'put traces.jsonl beside it; what follows is then read from there' },
  );
}

function isWholeEntry({ bytes }: Line, head: EntryHead | DamagedLine): boolean {
  return isDamagedLine(head) || entryOf(bytes.toString('utf8')) !== null;
}
