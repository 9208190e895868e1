import type { Span } from './json-walk.ts';
import type { Rope } from './rope.ts';

/** The bytes from `start` to `end` replaced. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

const nothing = Buffer.alloc(0);
const comma = Buffer.from(',');

/** New bytes of one entry of a list; null removes it with its comma. */
export type EntryChange = readonly [index: number, bytes: Buffer | null];

/**
 * Splices of a comma-separated list of entries.
 * @param changes by index, ascending, each index once
 * @param added entries to append; `empty` is where they go when the list has none
 */
export function spliceEntries(
  entries: readonly Span[],
  changes: readonly EntryChange[],
  added: readonly Buffer[] = [],
  empty = 0,
): Splice[] {
  const splices: Splice[] = [];
  let removed = 0;
  for (const [index, bytes] of changes) {
    const entry = entries[index];
    if (entry === undefined) continue;
    if (bytes !== null) {
      splices.push({ ...entry, bytes });
      continue;
    }
    splices.push({ ...removalOf(entries, index, removed < index), bytes: nothing });
    removed++;
  }
  const at = entries.at(-1)?.end ?? empty;
  let isFirst = removed === entries.length;
  for (const bytes of added) {
    splices.push({ start: at, end: at, bytes: isFirst ? bytes : Buffer.concat([comma, bytes]) });
    isFirst = false;
  }
  return splices;
}

/** An entry goes with the comma before it, or, when nothing is kept before it, with the one after it. */
function removalOf(entries: readonly Span[], index: number, isKeptBefore: boolean): Span {
  const entry = entries[index] ?? { start: 0, end: 0 };
  const before = entries[index - 1];
  if (isKeptBefore && before !== undefined) return { start: before.end, end: entry.end };
  return { start: entry.start, end: entries[index + 1]?.start ?? entry.end };
}

/** The body with splices (ascending, disjoint) applied; all other bytes are views of the original chunks. */
export function applySplices(rope: Rope, splices: readonly Splice[]): Uint8Array[] {
  const parts: (readonly Uint8Array[])[] = [];
  let at = 0;
  for (const { start, end, bytes } of splices) {
    if (start > at) parts.push(rope.slice(at, start));
    if (bytes.length > 0) parts.push([bytes]);
    at = end;
  }
  parts.push(rope.slice(at, rope.length));
  return parts.flat();
}
