import { sseBytes, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { WrittenBlock } from '../request/write-blocks.ts';

/** An event whose name is its type: the SDK ignores events without a name. */
export function event(type: string, fields: JsonObject): Uint8Array {
  return sseBytes(type, { type, ...fields });
}

export function blockStart(index: number, block: JsonObject): Uint8Array {
  return event('content_block_start', { index, content_block: block });
}

export function blockDelta(index: number, type: string, fields: JsonObject): Uint8Array {
  return event('content_block_delta', { index, delta: { type, ...fields } });
}

export function blockStop(index: number): Uint8Array {
  return event('content_block_stop', { index });
}

/** All events of a block that is known whole. */
export function blockEvents(index: number, written: WrittenBlock): readonly Uint8Array[] {
  return [...contentEvents(index, written), blockStop(index)];
}

function contentEvents(
  index: number,
  { block, arguments: json }: WrittenBlock,
): readonly Uint8Array[] {
  const { type } = block;
  if (json !== undefined) {
    const start = blockStart(index, { ...block, input: {} });
    return json === ''
      ? [start]
      : [start, blockDelta(index, 'input_json_delta', { partial_json: json })];
  }
  if (type === 'text') {
    const text = stringOf(block['text']) ?? '';
    return [blockStart(index, { type, text: '' }), blockDelta(index, 'text_delta', { text })];
  }
  return type === 'thinking' ? thinkingEvents(index, block) : [blockStart(index, block)];
}

function thinkingEvents(index: number, block: JsonObject): readonly Uint8Array[] {
  const [thinking, signature] = [
    stringOf(block['thinking']) ?? '',
    stringOf(block['signature']) ?? '',
  ];
  return [
    blockStart(index, { ...block, thinking: '', signature: '' }),
    ...(thinking === '' ? [] : [blockDelta(index, 'thinking_delta', { thinking })]),
    ...(signature === '' ? [] : [blockDelta(index, 'signature_delta', { signature })]),
  ];
}
