import type { Delta } from '@vf/core';
import { isObject, listOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { isOwnItem } from './own-item.ts';
import { announce, close, expectedText, extend } from './open-item.ts';
import type { Emit, OpenItem } from './open-item.ts';

type NewId = (prefix: string) => string;

/**
 * Makes output items of canonical deltas and reports the events about them. A native item may come before the text
 * that it holds (then its id and fields stand from the start) or after it (then they stand at the item's end).
 */
export class OutputBuilder {
  readonly #emit: Emit;
  readonly #newId: NewId;
  readonly #output: JsonObject[] = [];
  /** Native items whose text is yet to come, in order. */
  #held: JsonObject[] = [];
  #talk: OpenItem | null = null;
  /** Parallel calls may grow by turns, so they stay open until their item or the end comes. */
  readonly #calls = new Map<number, OpenItem>();

  constructor(emit: Emit, newId: NewId) {
    this.#emit = emit;
    this.#newId = newId;
  }

  add(delta: Delta): void {
    if (delta.type === 'text') this.#say('message', delta.text);
    else if (delta.type === 'reasoning') this.#say('reasoning', delta.text);
    else if (delta.type === 'call') this.#call(delta);
    else if (delta.type === 'arguments') this.#extendCall(delta.index, delta.text);
    else if (isOwnItem(delta.item)) this.#native(delta.item);
  }

  addAll(deltas: readonly Delta[]): void {
    for (const delta of deltas) this.add(delta);
  }

  /** Ends what is open; all items, in order. */
  end(): readonly JsonObject[] {
    this.#closeTalk();
    for (const open of this.#calls.values()) this.#close(open);
    this.#calls.clear();
    this.#flushBefore(this.#held.length);
    this.#held = [];
    return this.#output;
  }

  #say(kind: 'message' | 'reasoning', text: string): void {
    if (text === '') return;
    if (this.#talk?.kind !== kind) {
      this.#closeTalk();
      this.#talk = this.#openTalk(kind);
    }
    const open = this.#talk;
    const room = open.expected === null ? Infinity : open.expected.length - open.text.length;
    const hasNext = this.#held.some((item) => kindOf(item) === kind);
    if (
      !hasNext ||
      room < 0 ||
      text.length <= room ||
      !(open.text + text).startsWith(open.expected ?? '')
    ) {
      extend(open, text, this.#emit);
      return;
    }
    if (room > 0) extend(open, text.slice(0, room), this.#emit);
    this.#closeTalk();
    // The next item of the provider begins here; reasoning items are told apart by a line break.
    const rest = text.slice(room);
    this.#say(kind, kind === 'reasoning' && rest.startsWith('\n') ? rest.slice(1) : rest);
  }

  #openTalk(kind: 'message' | 'reasoning'): OpenItem {
    const native = this.#takeHeld((item) => kindOf(item) === kind);
    const fresh =
      kind === 'message'
        ? { type: 'message', role: 'assistant', status: 'completed', content: [] }
        : { type: 'reasoning', summary: [] };
    return this.#open(kind, native, fresh, kind === 'message' ? 'msg_' : 'rs_');
  }

  #call(delta: Extract<Delta, { type: 'call' }>): void {
    this.#closeTalk();
    const native = this.#takeHeld(
      (item) => kindOf(item) === 'call' && item['call_id'] === delta.id,
    );
    const said = {
      type: delta.custom ? 'custom_tool_call' : 'function_call',
      call_id: delta.id,
      name: delta.name,
      ...(delta.namespace === undefined ? {} : { namespace: delta.namespace }),
    };
    const fresh = { ...native, ...said };
    this.#calls.set(
      delta.index,
      this.#open('call', native === null ? null : fresh, fresh, delta.custom ? 'ctc_' : 'fc_'),
    );
  }

  #extendCall(index: number, text: string): void {
    const open = this.#calls.get(index);
    if (open !== undefined && text !== '') extend(open, text, this.#emit);
  }

  #native(item: JsonObject): void {
    const kind = kindOf(item);
    if (kind === 'call') {
      const known = [...this.#calls].find(([, open]) => open.item['call_id'] === item['call_id']);
      if (known === undefined) {
        this.#held.push(item);
        return;
      }
      const [index, open] = known;
      open.item = { ...item, call_id: open.item['call_id'], name: open.item['name'] };
      this.#close(open);
      this.#calls.delete(index);
      return;
    }
    if (kind !== null && this.#talk?.kind === kind && this.#talk.expected === null) {
      this.#talk.item = item;
      this.#closeTalk();
      return;
    }
    this.#held.push(item);
    if (isSilent(item) && this.#held.every(isSilent)) {
      this.#closeTalk();
      this.#flushBefore(this.#held.length);
    }
  }

  /** The first held item that fits; those before it that hold no text are written first. */
  #takeHeld(fits: (item: JsonObject) => boolean): JsonObject | null {
    const at = this.#held.findIndex((item) => fits(item) && !isSilent(item));
    if (at < 0) return null;
    const [item] = this.#held.splice(at, 1);
    this.#flushBefore(at);
    return item ?? null;
  }

  /** Writes the textless ones of the first `count` held items. */
  #flushBefore(count: number): void {
    const first = this.#held.slice(0, count);
    this.#held = [...first.filter((item) => !isSilent(item)), ...this.#held.slice(count)];
    for (const item of first) if (isSilent(item)) this.#whole(item);
  }

  /** An item that comes in one piece. */
  #whole(native: JsonObject): void {
    const index = this.#reserve();
    const item = { ...native, id: stringOf(native['id']) ?? this.#newId('item_') };
    const isMessage = native['type'] === 'message';
    const added = isMessage ? { ...item, status: 'in_progress', content: [] } : item;
    this.#emit('response.output_item.added', { output_index: index, item: added });
    if (isMessage) this.#refusals(item, index);
    this.#emit('response.output_item.done', { output_index: index, item });
    this.#output[index] = item;
  }

  #refusals(item: JsonObject, index: number): void {
    listOf(item['content']).forEach((part, at) => {
      const place = { item_id: item['id'], output_index: index, content_index: at };
      const refusal = isObject(part) ? stringOf(part['refusal']) : null;
      if (refusal === null) return;
      this.#emit('response.content_part.added', {
        ...place,
        part: { type: 'refusal', refusal: '' },
      });
      this.#emit('response.refusal.delta', { ...place, delta: refusal });
      this.#emit('response.refusal.done', { ...place, refusal });
      this.#emit('response.content_part.done', { ...place, part });
    });
  }

  #open(
    kind: OpenItem['kind'],
    native: JsonObject | null,
    fresh: JsonObject,
    prefix: string,
  ): OpenItem {
    const item = native ?? fresh;
    const id = stringOf(item['id']) ?? this.#newId(prefix);
    const expected = native === null ? null : expectedText(kind, native);
    const open: OpenItem = { kind, index: this.#reserve(), id, item, text: '', expected };
    announce(open, this.#emit);
    return open;
  }

  #reserve(): number {
    return this.#output.push({}) - 1;
  }

  #closeTalk(): void {
    if (this.#talk !== null) this.#close(this.#talk);
    this.#talk = null;
  }

  #close(open: OpenItem): void {
    this.#output[open.index] = close(open, this.#emit);
  }
}

function kindOf(item: JsonObject): OpenItem['kind'] | null {
  const { type } = item;
  if (type === 'message' || type === 'reasoning') return type;
  return type === 'function_call' || type === 'custom_tool_call' ? 'call' : null;
}

/** Does the item add nothing to text, reasoning or calls? */
function isSilent(item: JsonObject): boolean {
  const kind = kindOf(item);
  return kind === null || (kind !== 'call' && expectedText(kind, item) === '');
}
