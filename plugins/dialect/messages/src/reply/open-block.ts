import type { Delta } from '@vf/core';
import { objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { argumentsOf, callerItem, stateBlockOf } from '../request/read-blocks.ts';
import type { ReplyBlock } from '../request/read-blocks.ts';

/** Fields of a block that deltas append to, by the type of the delta. */
const appended: Readonly<Record<string, readonly [field: string, source: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['signature', 'signature'],
  compaction_delta: ['content', 'content'],
};

/** One block of a streamed reply. `call` is the index of a tool call among the calls. */
export class OpenBlock {
  readonly #start: JsonObject;
  readonly #call: number;
  readonly #grown = new Map<string, string>();
  #json = '';

  constructor(start: JsonObject, call: number) {
    this.#start = start;
    this.#call = call;
  }

  get isCall(): boolean {
    return this.#start['type'] === 'tool_use';
  }

  get isThinking(): boolean {
    return this.#start['type'] === 'thinking';
  }

  /** What the start of the block says; some servers put the first text there. */
  opening(): readonly Delta[] {
    const { type } = this.#start;
    if (type === 'tool_use') {
      const [id, name] = [stringOf(this.#start['id']) ?? '', stringOf(this.#start['name']) ?? ''];
      return [{ type: 'call', index: this.#call, id, name }];
    }
    if (type === 'text') return said('text', this.#start['text']);
    return type === 'thinking' ? said('reasoning', this.#start['thinking']) : [];
  }

  add(delta: JsonObject): readonly Delta[] {
    const type = stringOf(delta['type']) ?? '';
    if (type === 'input_json_delta') return this.#addJson(stringOf(delta['partial_json']) ?? '');
    const [field, source] = appended[type] ?? [];
    const text = source === undefined ? null : stringOf(delta[source]);
    if (field === undefined || text === null || text === '') return [];
    this.#grown.set(field, (this.#grown.get(field) ?? '') + text);
    if (field === 'text') return said('text', text);
    return field === 'thinking' ? said('reasoning', text) : [];
  }

  #addJson(text: string): readonly Delta[] {
    this.#json += text;
    return this.isCall && text !== '' ? [{ type: 'arguments', index: this.#call, text }] : [];
  }

  /** What is only known when the block is complete. */
  closing(): readonly Delta[] {
    const { block } = this.read();
    if (this.isCall) {
      const caller = callerItem(block);
      const input = this.#json.trim() === '' ? argumentsOf(this.read()) : '';
      return [
        ...(input === '' ? [] : [{ type: 'arguments' as const, index: this.#call, text: input }]),
        ...(caller === null ? [] : [{ type: 'native' as const, item: caller }]),
      ];
    }
    const item = stateBlockOf(block);
    return item === null ? [] : [{ type: 'native', item }];
  }

  read(): ReplyBlock {
    const grown = [...this.#grown].map(([field, text]) => [
      field,
      (stringOf(this.#start[field]) ?? '') + text,
    ]);
    const block = { ...this.#start, ...Object.fromEntries(grown) } as JsonObject;
    if (this.isCall) return { block, json: this.#json };
    return this.#json === '' ? { block } : { block: { ...block, input: this.#input() } };
  }

  /** Input of a tool that the provider runs; the text itself when it is no JSON. */
  #input(): unknown {
    try {
      return JSON.parse(this.#json) as unknown;
    } catch {
      return this.#json;
    }
  }
}

function said(type: 'text' | 'reasoning', text: unknown): readonly Delta[] {
  return typeof text === 'string' && text !== '' ? [{ type, text }] : [];
}

/** A block of an event, or an empty one. */
export function openBlock(start: unknown, call: number): OpenBlock {
  return new OpenBlock(objectOf(start), call);
}
