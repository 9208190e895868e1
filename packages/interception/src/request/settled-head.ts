import { extended, itemsWith, segmentsBefore } from './head.ts';
import type { Head, KnownItem, Mark, Root } from './head.ts';
import type { ItemChange } from './item-changes.ts';
import type { Span } from './json-walk.ts';
import type { NewItems } from './new-items.ts';

/** What a request's new items became in the graph. */
export interface Settled {
  readonly root: Root;
  /** Where the new items begin. */
  readonly start: Mark;
  /** Node of each of their messages. */
  readonly nodes: readonly number[];
  /** Rewrites of their messages. */
  readonly changes: readonly ItemChange[];
}

/** The head that a recorded request leaves. */
export function settledHead(fresh: NewItems, { root, start, nodes, changes }: Settled): Head {
  const { base, from, offset, last } = fresh;
  const { items, end } = markedItems(fresh, start, nodes);
  return {
    root,
    segments: extended(segmentsBefore(base?.segments ?? [], offset), fresh),
    items:
      base === null ? { list: items, count: items.length } : itemsWith(base.items, from, items),
    end,
    last,
    changes: joined(keptChanges(fresh), changes),
  };
}

/** Rewrites remembered for the items before the new ones. */
export function keptChanges({ base, from }: NewItems): readonly ItemChange[] {
  if (base === null || base.changes.length === 0) return none;
  return base.changes.filter((change) => change.item < from);
}

const none: readonly ItemChange[] = [];

function joined(
  kept: readonly ItemChange[],
  changes: readonly ItemChange[],
): readonly ItemChange[] {
  return changes.length === 0 ? kept : [...kept, ...changes];
}

function markedItems(
  { spans, groups }: NewItems,
  start: Mark,
  nodes: readonly number[],
): { readonly items: KnownItem[]; readonly end: Mark } {
  const items: KnownItem[] = [];
  let mark = start;
  let done = 0;
  for (const { values, messages } of groups) {
    for (let at = 0; at < values.length; at++) {
      const { start: from, end } = spans[items.length] ?? nowhere;
      items.push({ start: from, end, opening: at === 0 ? mark : null });
    }
    done += messages.length;
    const node = done === 0 ? start.node : (nodes[done - 1] ?? null);
    mark = { node, messages: start.messages + done };
  }
  return { items, end: mark };
}

/** There are as many spans as values. */
const nowhere: Span = { start: 0, end: 0 };
