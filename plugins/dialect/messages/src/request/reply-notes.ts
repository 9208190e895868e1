import { isObject, listOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** A place in a reply's list of blocks: so many characters of text, the next state block, or the next call. */
export type Place = number | 'state' | 'call';

/**
 * What a reply's blocks say beside its canonical fields. It stands in `providerState` as one item that never tells
 * two messages apart.
 */
export interface ReplyNotes {
  /** Order of the blocks, when it is not: state blocks, text, calls. */
  readonly order?: readonly Place[];
  readonly stop_sequence?: string;
  readonly stop_details?: unknown;
}

const usualOrder = /^s*t?c*$/;

/** The order, when it needs a note. */
export function notedOrder(places: readonly Place[]): readonly Place[] | null {
  const kinds = places.map((place) =>
    typeof place === 'number' ? 't' : place === 'call' ? 'c' : 's',
  );
  return usualOrder.test(kinds.join('')) ? null : places;
}

/** Notes as items of `providerState`: none or one. */
export function noteItems(notes: ReplyNotes): readonly unknown[] {
  return Object.keys(notes).length === 0 ? [] : [{ type: 'message', ...notes }];
}

export function isNotes(item: unknown): item is JsonObject {
  return isObject(item) && item['type'] === 'message';
}

export function notesOf(state: readonly unknown[]): ReplyNotes {
  const item = objectOf(state.findLast(isNotes));
  const order = listOf(item['order']).filter(isPlace);
  const stopSequence = stringOf(item['stop_sequence']);
  return {
    ...(order.length === 0 ? {} : { order }),
    ...(stopSequence === null ? {} : { stop_sequence: stopSequence }),
    ...(item['stop_details'] == null ? {} : { stop_details: item['stop_details'] }),
  };
}

function isPlace(value: unknown): value is Place {
  return value === 'state' || value === 'call' || typeof value === 'number';
}
