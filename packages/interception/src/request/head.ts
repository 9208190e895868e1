import { isSpace } from './json-walk.ts';
import type { Span } from './json-walk.ts';
import type { ItemChange } from './item-changes.ts';
import type { Rope } from './rope.ts';

/** A place between messages: `node` is the last one's, `messages` their number since the root. */
export interface Mark {
  readonly node: number | null;
  readonly messages: number;
}

/** An item of the growing array that was sent and recorded; offsets count from the array's opening bracket. */
export interface KnownItem extends Span {
  /** Set where a group of items begins. */
  readonly opening: Mark | null;
}

/** The first `count` of a list that heads share: the head that went on from this one added its own behind them. */
export interface KnownItems {
  readonly list: KnownItem[];
  readonly count: number;
}

/** Bytes between the array's brackets from `start` on; shared by heads that have them in common. */
export interface Segment {
  readonly start: number;
  readonly bytes: Buffer;
  /** The memory that `bytes` begin, with how much of it is taken; another head may have grown there. */
  readonly room?: { readonly buffer: Buffer; used: number };
}

/** Where a conversation's items begin in the graph: after its tools and preamble. */
export interface Root {
  readonly node: number | null;
  readonly toolList: number;
}

/** The items of one request that was sent: what the next one is compared with. Immutable. */
export interface Head {
  readonly root: Root;
  /** Adjoining, from offset 0. */
  readonly segments: readonly Segment[];
  readonly items: KnownItems;
  readonly end: Mark;
  /** Parsed last item. */
  readonly last: unknown;
  /** Rewrites remembered on recorded messages. */
  readonly changes: readonly ItemChange[];
}

/** Lengths of common runs by segment, so that heads that share segments are compared once. */
export type Runs = Map<Segment, number>;

/**
 * How many items of `head` the array that begins at `start` has in common with it.
 * @param end of the array's inside, or a later offset when it is not known
 */
export function commonItems(
  head: Head,
  rope: Rope,
  start: number,
  end: number,
  runs: Runs,
): number {
  let run = 0;
  for (const segment of head.segments) {
    let length = runs.get(segment);
    if (length === undefined) {
      length = rope.run(start + segment.start, segment.bytes, end);
      runs.set(segment, length);
    }
    run = segment.start + length;
    if (length < segment.bytes.length) break;
  }
  const count = itemsWithin(head.items, run);
  const last = head.items.list[count - 1];
  // A number may go on where the kept one ended: 1, 12.
  if (last !== undefined && !endsAt(rope, start + last.end, end)) return count - 1;
  return count;
}

function itemsWithin({ list, count }: KnownItems, run: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.end ?? 0) <= run) low = middle + 1;
    else high = middle;
  }
  return low;
}

function endsAt(rope: Rope, at: number, end: number): boolean {
  while (at < end && isSpace(rope.byte(at))) at++;
  if (at >= end) return true;
  const byte = rope.byte(at);
  return byte === 0x2c || byte === 0x5d;
}

/** The first `from` items with others behind them: in the same list where nothing else stands there. */
export function itemsWith(
  { list, count }: KnownItems,
  from: number,
  added: readonly KnownItem[],
): KnownItems {
  if (from > count) throw new RangeError(`${from} of ${count} items`);
  const into = list.length === from ? list : list.slice(0, from);
  for (const item of added) into.push(item);
  return { list: into, count: into.length };
}

/** The segments that hold the bytes before `end`. */
export function segmentsBefore(segments: readonly Segment[], end: number): Segment[] {
  const kept = segments.filter((segment) => segment.start < end);
  const last = kept.at(-1);
  if (last !== undefined && last.start + last.bytes.length > end) {
    kept[kept.length - 1] = { start: last.start, bytes: last.bytes.subarray(0, end - last.start) };
  }
  return kept;
}

/** Small segments are joined up to this size: comparing a segment costs a native call whatever its length. */
const joinedSize = 32 * 1024;

/** Adjoining segments with the bytes from `offset` on added. */
export function extended(
  segments: readonly Segment[],
  { offset, bytes }: { readonly offset: number; readonly bytes: Buffer },
): readonly Segment[] {
  const last = segments.at(-1);
  if (bytes.length === 0) return segments;
  if (last === undefined || last.bytes.length + bytes.length > joinedSize)
    return [...segments, grown({ start: offset, bytes: nothing }, bytes)];
  return [...segments.slice(0, -1), grown(last, bytes)];
}

const nothing = Buffer.alloc(0);

/** A segment with bytes added: behind its own where nothing else has grown there, so that each is copied about once. */
function grown({ start, bytes: kept, room }: Segment, bytes: Buffer): Segment {
  const length = kept.length + bytes.length;
  let into = room;
  if (into === undefined || into.used !== kept.length || length > into.buffer.length) {
    const size = Math.max(length, Math.min(joinedSize, 2 * length));
    into = { buffer: Buffer.allocUnsafeSlow(size), used: kept.length };
    into.buffer.set(kept);
  }
  into.buffer.set(bytes, kept.length);
  into.used = length;
  return { start, bytes: into.buffer.subarray(0, length), room: into };
}

/** Index of the opening of the group that item `index - 1` belongs to. */
export function openingBefore({ list }: KnownItems, index: number): number {
  for (let at = index - 1; at > 0; at--) if (list[at]?.opening) return at;
  return 0;
}
