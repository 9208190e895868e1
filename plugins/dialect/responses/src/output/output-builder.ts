import type { Delta } from '@vf/core';
import { stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { isOwnItem } from './own-item.ts';
import { announce, close, expectedText, extend } from './open-item.ts';
import type { Emit, OpenItem } from './open-item.ts';
import { writeWhole } from './whole-item.ts';

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
  /** Reasoning items are told apart by a line break, which the next one then begins with. */
  #isLineBreakDue = false;
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

  #say(kind: 'message' | 'reasoning', said: string): void {
    const isBreak = kind === 'reasoning' && this.#isLineBreakDue && said.startsWith('\n');
    const text = isBreak ? said.slice(1) : said;
    if (isBreak) this.#isLineBreakDue = false;
    if (text === '') return;
    if (this.#talk?.kind !== kind) {
      this.#closeTalk();
      this.#talk = this.#openTalk(kind);
    }
    const room = this.#roomIn(this.#talk, text);
    if (room > 0) extend(this.#talk, text.slice(0, room), this.#emit);
    if (room >= text.length) return;
    this.#closeTalk();
    this.#say(kind, text.slice(room));
  }

  /** How much of the text belongs to the open item: all, unless the provider's own next item begins in it. */
  #roomIn({ kind, text, expected }: OpenItem, more: string): number {
    const hasNext = this.#held.some((item) => kindOf(item) === kind);
    if (expected === null || !hasNext || !(text + more).startsWith(expected)) return more.length;
    return Math.max(0, expected.length - text.length);
  }

  #openTalk(kind: 'message' | 'reasoning'): OpenItem {
    if (kind === 'reasoning') this.#isLineBreakDue = false;
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
    const fresh = { ...(native ?? { status: 'completed' }), ...said };
    const replaced = this.#calls.get(delta.index);
    if (replaced !== undefined) this.#close(replaced);
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

  #whole(native: JsonObject): void {
    const index = this.#reserve();
    const item = { ...native, id: stringOf(native['id']) ?? this.#newId('item_') };
    writeWhole(item, index, this.#emit);
    this.#output[index] = item;
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
    if (this.#talk === null) return;
    if (this.#talk.kind === 'reasoning') this.#isLineBreakDue = true;
    this.#close(this.#talk);
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
export function isSilent(item: JsonObject): boolean {
  const kind = kindOf(item);
  return kind === null || (kind !== 'call' && expectedText(kind, item) === '');
}
