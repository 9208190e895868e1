import type { Message, RequestFormat } from '@vf/core';
import { commonItems, openingBefore } from './head.ts';
import type { Head, Mark, Runs } from './head.ts';
import { skipSpace, walkItems } from './json-walk.ts';
import type { Span } from './json-walk.ts';
import { skipComma } from './locate.ts';
import type { Rope } from './rope.ts';

/** Items that make canonical messages together; `first` is an index in the growing array. */
export interface Group {
  readonly first: number;
  readonly values: readonly unknown[];
  readonly messages: readonly Message[];
}

/** The items of a request from where it parts with what was sent before. */
export interface NewItems {
  /** The head it goes on from, and how many of its items; null: from the start. */
  readonly base: Head | null;
  readonly from: number;
  /** Bytes between the brackets from `offset` on; they may be of the body's memory. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** Counted from the opening bracket. */
  readonly spans: readonly Span[];
  readonly groups: readonly Group[];
  /** Parsed last item of the whole array. */
  readonly last: unknown;
}

interface Parsed {
  readonly offset: number;
  readonly bytes: Buffer;
  readonly values: readonly unknown[];
  readonly spans: readonly Span[];
}

/** The part of a request's items that none of `heads` has; null when it is no list of JSON values. */
export function readNewItems(
  format: RequestFormat,
  rope: Rope,
  inside: Span,
  heads: readonly Head[],
  runs: Runs,
): NewItems | null {
  const { base, count } = longestRun(rope, inside, heads, runs);
  const parsed = parseAfter(rope, inside, base, count);
  if (parsed === null || base === null)
    return parsed && newItems(format, null, 0, parsed, undefined);
  const before = count === base.items.count ? base.last : itemBefore(rope, inside, base, count);
  if (isOpening(format, base, count, before, parsed))
    return newItems(format, base, count, parsed, before);
  const from = openingBefore(base.items, count);
  const again = parseAfter(rope, inside, base, from);
  return again && newItems(format, base, from, again, undefined);
}

/** The place in the conversation after `from` items of the base. */
export function markAt(base: Head | null, from: number, root: Mark): Mark {
  if (base === null || from === 0) return root;
  const next = from < base.items.count ? base.items.list[from] : undefined;
  return next?.opening ?? base.end;
}

function longestRun(
  rope: Rope,
  inside: Span,
  heads: readonly Head[],
  runs: Runs,
): { readonly base: Head | null; readonly count: number } {
  let base: Head | null = null;
  let most = 0;
  for (const head of heads) {
    const count = commonItems(head, rope, inside.start, inside.end, runs);
    if (count <= most) continue;
    base = head;
    most = count;
  }
  return { base, count: most };
}

function parseAfter(rope: Rope, inside: Span, base: Head | null, from: number): Parsed | null {
  const offset = base?.items.list[from - 1]?.end ?? 0;
  const bytes = rope.piece(inside.start + offset, inside.end);
  const start = offset === 0 ? 0 : skipComma(bytes);
  const walked = walkItems(bytes, start);
  if (walked === null || (start > 0 && walked.items.length === 0)) return null;
  // A comma or a bracket behind the last item: no list.
  if (skipSpace(bytes, walked.items.at(-1)?.end ?? start) !== bytes.length) return null;
  try {
    return { offset, bytes, ...parseItems(bytes, walked.items, offset) };
  } catch {
    return null;
  }
}

/** Item by item: the text of all of them would be copied once more for its brackets. @throws SyntaxError */
function parseItems(
  bytes: Buffer,
  items: readonly Span[],
  offset: number,
): Pick<Parsed, 'values' | 'spans'> {
  const values: unknown[] = [];
  const spans: Span[] = [];
  for (const { start, end } of items) {
    values.push(JSON.parse(bytes.toString('utf8', start, end)));
    spans.push({ start: start + offset, end: end + offset });
  }
  return { values, spans };
}

/** Did a group end after `count` items of the base, and does the next item begin another? */
function isOpening(
  format: RequestFormat,
  base: Head,
  count: number,
  before: unknown,
  { values }: Parsed,
): boolean {
  if (count < base.items.count && base.items.list[count]?.opening === null) return false;
  return values.length === 0 || format.opens(values[0], before);
}

function itemBefore(rope: Rope, inside: Span, base: Head, count: number): unknown {
  const item = base.items.list[count - 1];
  if (item === undefined) return undefined;
  return JSON.parse(rope.piece(inside.start + item.start, inside.start + item.end).toString());
}

function newItems(
  format: RequestFormat,
  base: Head | null,
  from: number,
  parsed: Parsed,
  before: unknown,
): NewItems {
  const { offset, bytes, values, spans } = parsed;
  const last = values.length === 0 ? before : values.at(-1);
  return { base, from, offset, bytes, spans, groups: groupsOf(format, values, from), last };
}

/** Groups of a list that begins with an opening. */
export function groupsOf(
  format: RequestFormat,
  values: readonly unknown[],
  first: number,
): Group[] {
  const groups: Group[] = [];
  let start = 0;
  for (let at = 1; at <= values.length; at++) {
    if (at < values.length && !format.opens(values[at], values[at - 1])) continue;
    const group = values.slice(start, at);
    groups.push({ first: first + start, values: group, messages: format.messages(group) });
    start = at;
  }
  return groups;
}
