import { extended, segmentsBefore } from './head.ts';
import type { Head, KnownItem, Mark, Root } from './head.ts';
import type { ItemChange } from './item-changes.ts';
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
    items: [...(base?.items.slice(0, from) ?? []), ...items],
    end,
    last,
    changes: [...keptChanges(fresh), ...changes],
  };
}

/** Rewrites remembered for the items before the new ones. */
export function keptChanges({ base, from }: NewItems): readonly ItemChange[] {
  return base === null ? [] : base.changes.filter((change) => change.item < from);
}

function markedItems(
  { spans, groups, from }: NewItems,
  start: Mark,
  nodes: readonly number[],
): { readonly items: readonly KnownItem[]; readonly end: Mark } {
  const items: KnownItem[] = spans.map((span) => ({ ...span, opening: null }));
  let mark = start;
  let done = 0;
  for (const { first, messages } of groups) {
    const item = items[first - from];
    if (item !== undefined) items[first - from] = { ...item, opening: mark };
    done += messages.length;
    const node = done === 0 ? start.node : (nodes[done - 1] ?? null);
    mark = { node, messages: start.messages + done };
  }
  return { items, end: mark };
}
