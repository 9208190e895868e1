import type { Delta } from '@vf/core';
import { isObject, listOf, numberOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { finishItem, reportPiece, reportCall, reportInput } from './report.ts';
import { itemOf, newSlot, pieceOf } from './slot.ts';
import type { Slot } from './slot.ts';

/** What the events about an item's text say: the item's type, the kind of text, its index and its field when done. */
const textEvents = {
  'response.output_text': ['message', 'output_text', 'content_index', 'text'],
  'response.refusal': ['message', 'refusal', 'content_index', 'refusal'],
  'response.reasoning_summary_text': ['reasoning', 'summary_text', 'summary_index', 'text'],
  'response.reasoning_text': ['reasoning', 'reasoning_text', 'content_index', 'text'],
} as const;

const inputEvents = {
  'response.function_call_arguments': ['function_call', 'arguments'],
  'response.custom_tool_call_input': ['custom_tool_call', 'input'],
} as const;

const isTextEvent = (stem: string): stem is keyof typeof textEvents =>
  Object.hasOwn(textEvents, stem);
const isInputEvent = (stem: string): stem is keyof typeof inputEvents =>
  Object.hasOwn(inputEvents, stem);

/** Puts output items together from the events about them, in whatever way a server leaves some out. */
export class Assembly {
  readonly #slots: Slot[] = [];
  #calls = 0;
  /** Has any reasoning been reported? The next stretch then begins on a new line. */
  readonly #state = { reasoned: false };

  /** Takes one event in; what it adds to the reply, in canonical pieces. */
  add(event: JsonObject): readonly Delta[] {
    const type = stringOf(event['type']) ?? '';
    const { item } = event;
    if (type === 'response.output_item.added' && isObject(item)) return this.#begin(event, item);
    if (type === 'response.output_item.done' && isObject(item)) return this.#finish(event, item);
    const dot = type.lastIndexOf('.');
    const [stem, end] = [type.slice(0, dot), type.slice(dot + 1)];
    if (end !== 'delta' && end !== 'done') return [];
    if (isTextEvent(stem)) return this.#text(event, stem, end);
    return isInputEvent(stem) ? this.#input(event, stem, end) : [];
  }

  /**
   * The output: the terminal event's list, else the finished items, else what the deltas give. Encrypted reasoning
   * that only an item's own end carried is put back.
   */
  output(items: readonly JsonObject[]): readonly JsonObject[] {
    if (items.length === 0) return this.#sorted().map(itemOf);
    return items.map((item, index) => {
      const encrypted = this.#slotOfFinal(item, index)?.item['encrypted_content'];
      const isLost =
        item['type'] === 'reasoning' && item['encrypted_content'] == null && encrypted != null;
      return isLost ? { ...item, encrypted_content: encrypted } : item;
    });
  }

  /** Deltas of what only the terminal event told. */
  settle(output: readonly JsonObject[]): readonly Delta[] {
    return output.flatMap((item, index) => {
      const slot = this.#slotOfFinal(item, index) ?? this.#open(index, item);
      return slot.isDone ? [] : finishItem(slot, item, this.#state);
    });
  }

  #begin(event: JsonObject, item: JsonObject): readonly Delta[] {
    const known = this.#find(event, item);
    const slot = known ?? this.#open(numberOf(event['output_index']), item);
    slot.item = item;
    return reportCall(slot);
  }

  #finish(event: JsonObject, item: JsonObject): readonly Delta[] {
    const slot = this.#find(event, item) ?? this.#open(numberOf(event['output_index']), item);
    return slot.isDone ? [] : finishItem(slot, item, this.#state);
  }

  #text(event: JsonObject, stem: keyof typeof textEvents, end: 'delta' | 'done'): readonly Delta[] {
    const [type, kind, indexKey, doneKey] = textEvents[stem];
    const slot = this.#ofEvent(event, type);
    const piece = pieceOf(slot, kind, numberOf(event[indexKey]) ?? 0);
    const whole = end === 'done' ? stringOf(event[doneKey]) : null;
    const more = end === 'delta' ? (stringOf(event['delta']) ?? '') : rest(piece.text, whole);
    piece.text = whole ?? piece.text + more;
    return reportPiece(slot, piece, more, this.#state);
  }

  #input(
    event: JsonObject,
    stem: keyof typeof inputEvents,
    end: 'delta' | 'done',
  ): readonly Delta[] {
    const [type, doneKey] = inputEvents[stem];
    const slot = this.#ofEvent(event, type);
    const whole = end === 'done' ? stringOf(event[doneKey]) : null;
    const more = end === 'delta' ? (stringOf(event['delta']) ?? '') : rest(slot.input, whole);
    slot.input = whole ?? slot.input + more;
    return reportInput(slot, more);
  }

  #ofEvent(event: JsonObject, type: string): Slot {
    const id = stringOf(event['item_id']);
    const item = { type, ...(id === null ? {} : { id }) };
    return this.#find(event, item) ?? this.#open(numberOf(event['output_index']), item);
  }

  /** By index where the server counts (some change ids on the way), else by id, else the last of its type. */
  #find(event: JsonObject, item: JsonObject): Slot | undefined {
    const index = numberOf(event['output_index']);
    if (index !== null) return this.#slots.find((slot) => slot.order === index);
    const id = stringOf(event['item_id']) ?? stringOf(item['id']);
    if (id !== null) return this.#slots.find((slot) => slot.item['id'] === id);
    return this.#slots.findLast((slot) => !slot.isDone && slot.item['type'] === item['type']);
  }

  #slotOfFinal(item: JsonObject, index: number): Slot | undefined {
    const id = stringOf(item['id']);
    const byId = id === null ? undefined : this.#slots.find((slot) => slot.item['id'] === id);
    if (byId !== undefined) return byId;
    const slot = this.#sorted()[index];
    return slot?.item['type'] === item['type'] ? slot : undefined;
  }

  #open(order: number | null, item: JsonObject): Slot {
    const isCall = item['type'] === 'function_call' || item['type'] === 'custom_tool_call';
    const slot = newSlot(order ?? this.#slots.length, isCall ? this.#calls++ : null, item);
    this.#slots.push(slot);
    return slot;
  }

  #sorted(): readonly Slot[] {
    return this.#slots.toSorted((a, b) => a.order - b.order);
  }
}

/** What `whole` has beyond `seen`; nothing when it went another way. */
function rest(seen: string, whole: string | null): string {
  return whole !== null && whole.startsWith(seen) ? whole.slice(seen.length) : '';
}

/** The `output` of a response. */
export function outputOf(response: JsonObject): readonly unknown[] {
  return listOf(response['output']);
}
