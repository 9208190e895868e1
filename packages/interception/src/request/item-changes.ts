import type { Message, RequestFormat } from '@vf/core';
import { jsonBytes } from './json-bytes.ts';

/** An item's new bytes, null when it is gone; `item` is its index in the growing array. */
export interface ItemChange {
  readonly item: number;
  readonly bytes: Buffer | null;
}

interface Slot {
  readonly item: number;
  value: unknown;
  state: 'kept' | 'changed' | 'removed';
}

/**
 * What the items of one group become when messages of it are replaced. The replacements are made one after the
 * other, since two messages may stand in one item.
 * @param first index of the group's first item
 * @param replacements by index among the group's messages
 */
function changesOf(
  format: RequestFormat,
  group: readonly unknown[],
  first: number,
  replacements: ReadonlyMap<number, Message>,
): ItemChange[] {
  const slots = group.map((value, index): Slot => ({ item: first + index, value, state: 'kept' }));
  for (const [index, message] of replacements) {
    const present = slots.filter((slot) => slot.state !== 'removed');
    const edits = format.rewrite(
      present.map((slot) => slot.value),
      index,
      message,
    );
    for (const edit of edits) {
      const slot = 'item' in edit ? present[edit.item] : undefined;
      if (slot === undefined || !('item' in edit)) continue;
      slot.value = edit.value;
      slot.state = edit.value === undefined ? 'removed' : 'changed';
    }
  }
  return slots.filter((slot) => slot.state !== 'kept').map(changeOf);
}

/** Messages of new items, group by group. */
interface ItemGroup {
  readonly first: number;
  readonly values: readonly unknown[];
  readonly messages: readonly Message[];
}

/** Changes of all groups by what each of their messages, counted through, is replaced with. */
export function changesOfGroups(
  format: RequestFormat,
  groups: readonly ItemGroup[],
  replacement: (index: number) => Message | undefined,
): ItemChange[] {
  const changes: ItemChange[] = [];
  let done = 0;
  for (const { first, values, messages } of groups) {
    let replacements: Map<number, Message> | null = null;
    for (let index = 0; index < messages.length; index++) {
      const message = replacement(done + index);
      if (message !== undefined) (replacements ??= new Map()).set(index, message);
    }
    done += messages.length;
    if (replacements !== null) changes.push(...changesOf(format, values, first, replacements));
  }
  return changes;
}

function changeOf({ item, value, state }: Slot): ItemChange {
  return { item, bytes: state === 'removed' ? null : jsonBytes(value) };
}
