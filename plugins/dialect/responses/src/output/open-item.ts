import { stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { reasoningOf, textsOf } from '../assistant.ts';

/** An event's type and its fields beside `sequence_number`. */
export type Emit = (type: string, fields: JsonObject) => void;

type Kind = 'message' | 'reasoning' | 'call';

/** An output item whose text is still coming. */
export interface OpenItem {
  readonly kind: Kind;
  readonly index: number;
  readonly id: string;
  /** As it was announced, and as it ends but for its text. */
  item: JsonObject;
  text: string;
  /** The text of the provider's own item, when that is known beforehand. */
  readonly expected: string | null;
}

/** `<stem>.delta` and `<stem>.done`, the part events around them, and where the text stands. */
interface Shape {
  readonly stem: string;
  readonly part: string | null;
  readonly at: string | null;
  readonly field: string;
}

const message: Shape = {
  stem: 'output_text',
  part: 'content_part',
  at: 'content_index',
  field: 'text',
};
const summary: Shape = {
  stem: 'reasoning_summary_text',
  part: 'reasoning_summary_part',
  at: 'summary_index',
  field: 'text',
};
const thought: Shape = {
  stem: 'reasoning_text',
  part: 'content_part',
  at: 'content_index',
  field: 'text',
};
const custom: Shape = { stem: 'custom_tool_call_input', part: null, at: null, field: 'input' };
const call: Shape = { stem: 'function_call_arguments', part: null, at: null, field: 'arguments' };

function shapeOf({ kind, item }: OpenItem): Shape {
  if (kind === 'message') return message;
  if (kind === 'reasoning') return isThought(item) ? thought : summary;
  return item['type'] === 'custom_tool_call' ? custom : call;
}

/** Raw reasoning, as open models give it, rather than a summary. */
function isThought(item: JsonObject): boolean {
  return Array.isArray(item['content']) && item['content'].length > 0;
}

/** The text that an item of the provider gives to the message. */
export function expectedText(kind: Kind, item: JsonObject): string {
  if (kind === 'message') return textsOf(item).join('');
  return kind === 'reasoning'
    ? reasoningOf(item).join('\n')
    : (stringOf(item['arguments']) ?? stringOf(item['input']) ?? '');
}

export function announce(open: OpenItem, emit: Emit): void {
  emit('response.output_item.added', { output_index: open.index, item: empty(open) });
  const { part } = shapeOf(open);
  if (part !== null) emit(`response.${part}.added`, { ...place(open), part: partOf(open, '') });
}

export function extend(open: OpenItem, delta: string, emit: Emit): void {
  open.text += delta;
  const logprobs = open.kind === 'message' ? { logprobs: [] } : {};
  emit(`response.${shapeOf(open).stem}.delta`, { ...place(open), delta, ...logprobs });
}

/** Ends the item; the finished item as it goes into the response's output. */
export function close(open: OpenItem, emit: Emit): JsonObject {
  const { stem, part, field } = shapeOf(open);
  const logprobs = open.kind === 'message' ? { logprobs: [] } : {};
  const name = open.kind === 'call' ? { name: open.item['name'] } : {};
  emit(`response.${stem}.done`, { ...place(open), ...name, [field]: open.text, ...logprobs });
  if (part !== null)
    emit(`response.${part}.done`, { ...place(open), part: partOf(open, open.text) });
  const item = finished(open);
  emit('response.output_item.done', { output_index: open.index, item });
  return item;
}

function place(open: OpenItem): JsonObject {
  const { at } = shapeOf(open);
  return { item_id: open.id, output_index: open.index, ...(at === null ? {} : { [at]: 0 }) };
}

function empty(open: OpenItem): JsonObject {
  const { kind, item, id } = open;
  if (kind === 'message') return { ...item, id, status: 'in_progress', content: [] };
  if (kind === 'reasoning')
    return { ...item, id, summary: [], ...(isThought(item) ? { content: [] } : {}) };
  return { ...item, id, status: 'in_progress', [shapeOf(open).field]: '' };
}

function finished(open: OpenItem): JsonObject {
  const { kind, item, id, text } = open;
  if (kind === 'call') return { ...item, id, [shapeOf(open).field]: text };
  const isAsExpected = expectedText(kind, item) === text && text !== '';
  if (isAsExpected) return { ...item, id };
  const parts = [partOf(open, text)];
  if (kind === 'message') return { ...item, id, status: 'completed', content: parts };
  return isThought(item)
    ? { ...item, id, summary: [], content: parts }
    : { ...item, id, summary: parts };
}

function partOf(open: OpenItem, text: string): JsonObject {
  if (open.kind === 'message') return { type: 'output_text', text, annotations: [], logprobs: [] };
  return { type: shapeOf(open) === thought ? 'reasoning_text' : 'summary_text', text };
}
