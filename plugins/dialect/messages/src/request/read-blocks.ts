import type { AssistantMessage, ToolCall } from '@vf/core';
import { isObject, jsonOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { unmarked } from './content.ts';
import { notedOrder, noteItems } from './reply-notes.ts';
import type { Place, ReplyNotes } from './reply-notes.ts';

/** A block of a reply; `json` is the input of a call as it was streamed. */
export interface ReplyBlock {
  readonly block: JsonObject;
  readonly json?: string;
}

/** The assistant message that blocks make up. */
export function readBlocks(
  blocks: readonly ReplyBlock[],
  notes: ReplyNotes = {},
): AssistantMessage {
  const reading = new Reading();
  for (const block of blocks) reading.add(block);
  return reading.message(notes);
}

/** Content of an assistant message of a request or of a plain reply. */
export function readAssistant(content: unknown, notes: ReplyNotes = {}): AssistantMessage {
  if (typeof content === 'string')
    return readBlocks([{ block: { type: 'text', text: content } }], notes);
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return readBlocks(
    blocks.map((block) => ({ block })),
    notes,
  );
}

/** `null` for blocks that the canonical fields say in full. */
export function stateBlockOf(block: JsonObject): JsonObject | null {
  const { type } = block;
  if (type === 'text' || type === 'tool_use') return null;
  if (type === 'thinking' && !stringOf(block['signature'])) return null;
  return unmarked(block);
}

/** Who may call a tool back; the provider wants it again beside the call. */
export function callerItem(block: JsonObject): JsonObject | null {
  const caller = objectOf(block['caller']);
  if (stringOf(caller['type']) === null || caller['type'] === 'direct') return null;
  return { type: 'tool_use', id: block['id'], caller };
}

/** Arguments of a call: the streamed text, else the parsed input written anew; no text at all is `{}`. */
export function argumentsOf({ block, json }: ReplyBlock): string {
  if (json !== undefined && json.trim() !== '') return json;
  const { input } = block;
  if (typeof input === 'string') return input;
  return input == null ? '{}' : jsonOf(input);
}

class Reading {
  readonly #places: Place[] = [];
  readonly #state: unknown[] = [];
  readonly #calls: ToolCall[] = [];
  readonly #reasoning: string[] = [];
  #text = '';

  add(reply: ReplyBlock): void {
    const { block } = reply;
    const state = stateBlockOf(block);
    if (block['type'] === 'thinking') this.#reasoning.push(stringOf(block['thinking']) ?? '');
    if (block['type'] === 'text') this.#addText(stringOf(block['text']) ?? '');
    if (block['type'] === 'tool_use') this.#addCall(reply);
    if (state !== null) {
      this.#places.push('state');
      this.#state.push(state);
    }
  }

  message(notes: ReplyNotes): AssistantMessage {
    const order = notedOrder(this.#places);
    const state = [
      ...this.#state,
      ...noteItems({ ...(order === null ? {} : { order }), ...notes }),
    ];
    const reasoning = this.#reasoning.filter((text) => text !== '').join('\n');
    return {
      role: 'assistant',
      content: this.#text === '' ? null : this.#text,
      ...(reasoning === '' ? {} : { reasoning }),
      ...(this.#calls.length === 0 ? {} : { toolCalls: this.#calls }),
      ...(state.length === 0 ? {} : { providerState: state }),
    };
  }

  #addText(text: string): void {
    if (text === '') return;
    this.#text += text;
    const last = this.#places.at(-1);
    if (typeof last === 'number') this.#places[this.#places.length - 1] = last + text.length;
    else this.#places.push(text.length);
  }

  #addCall(reply: ReplyBlock): void {
    const { block } = reply;
    const caller = callerItem(block);
    this.#places.push('call');
    if (caller !== null) this.#state.push(caller);
    const id = stringOf(block['id']) ?? '';
    this.#calls.push({ id, name: stringOf(block['name']) ?? '', arguments: argumentsOf(reply) });
  }
}
