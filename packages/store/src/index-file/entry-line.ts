import type { IndexEntry } from '../index-entry.ts';
import { fromRecord, toRecord } from './entry-record.ts';
import type { EntryRecord } from './entry-record.ts';
import { sumOf, withSum } from './line-sum.ts';

/** The fields at the start of an index line, in this order, which tell whether the index is whole. */
export type EntryHead = Pick<IndexEntry, 'task' | 'attempt' | 'offset' | 'length' | 'episode'>;

/** Stands for a line of `traces.jsonl` that holds no episode. */
export interface DamagedLine {
  readonly offset: number;
  readonly length: number;
  readonly damaged: string;
}

export function entryToLine(entry: IndexEntry): string {
  return withSum(JSON.stringify(toRecord(entry)));
}

export function damagedToLine(line: DamagedLine): string {
  return withSum(JSON.stringify(line));
}

/** The text that starts the first field after the head; inside a JSON string its quotes are escaped. */
const afterHead = Buffer.from(',"hash":');

/**
 * Reads the start of a line alone; null when it is neither an entry nor the mark of a damaged line, or when
 * its sum does not hold.
 */
export function headOf(line: Buffer): EntryHead | DamagedLine | null {
  const sum = sumOf(line);
  if (sum === 'differs' || (sum === 'missing' && !isOfTimeWithoutSums(line))) return null;
  const end = line.indexOf(afterHead);
  const text = end < 0 ? line.toString('utf8') : `${line.toString('utf8', 0, end)}}`;
  const value = parse(text);
  return isDamagedLine(value) || isHead(value) ? value : null;
}

/** A line's entry; null when the line does not hold. */
export function entryOf(line: string): IndexEntry | null {
  const value = parse(line);
  return isHead(value) && 'weights' in value ? fromRecord(value as EntryRecord | IndexEntry) : null;
}

const lastOldFields = /,"modelSeconds":[^,"]+\}$|,"damaged":"/;

/** A later line that lost its sum to damage ends otherwise. */
function isOfTimeWithoutSums(line: Buffer): boolean {
  return lastOldFields.test(line.toString('utf8', Math.max(0, line.length - 300)));
}

export function isDamagedLine(value: unknown): value is DamagedLine {
  return typeof value === 'object' && value !== null && 'damaged' in value && isPlace(value);
}

function isHead(value: unknown): value is EntryHead {
  if (typeof value !== 'object' || value === null || !isPlace(value)) return false;
  const { task, attempt, episode }: Partial<Record<keyof EntryHead, unknown>> = value;
  return typeof task === 'string' && Number.isSafeInteger(attempt) && typeof episode === 'string';
}

function isPlace(value: object): boolean {
  const { offset, length }: Partial<Record<keyof EntryHead, unknown>> = value;
  return Number.isSafeInteger(offset) && Number.isSafeInteger(length);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
