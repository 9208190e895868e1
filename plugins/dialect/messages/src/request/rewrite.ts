import type { Content, Edit, Message } from '@vf/core';
import { isObject, listOf, objectOf, omit, sameJson, stableJson } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { partOf, writeContent, writePart } from './content.ts';
import { sources } from './messages.ts';
import type { Source } from './messages.ts';
import { writeMessages, writeReply, writeResult } from './write-message.ts';

/** Replaces message `index` of a group; what the canonical message does not say stays as the agent sent it. */
export function rewrite(
  group: readonly unknown[],
  index: number,
  message: Message,
): readonly Edit[] {
  const source = sources(group)[index];
  if (source === undefined || sameJson(source.message, message)) return [];
  const removed = Array.from({ length: source.items - 1 }, (_, offset) => ({
    item: source.item + 1 + offset,
    value: undefined,
  }));
  const item = group[source.item];
  const value = isObject(item) ? rewritten(item, source, message) : writeMessages([message])[0];
  return [{ item: source.item, value }, ...removed];
}

function rewritten(item: JsonObject, source: Source, message: Message): unknown {
  if (message.role === 'assistant')
    return { ...item, role: 'assistant', content: rewrittenReply(item, message) };
  if (message.role === 'tool') return rewrittenResult(item, source, message);
  if (source.blocks === null) {
    return { ...item, role: message.role, content: keepBlocks(item['content'], message.content) };
  }
  return {
    ...item,
    content: replaceBlocks(listOf(item['content']), source.blocks, message.content),
  };
}

/** Blocks that say the same as before keep what else they hold: cache marks, citations. */
function rewrittenReply(
  item: JsonObject,
  message: Extract<Message, { role: 'assistant' }>,
): readonly unknown[] {
  const native = new Map(
    listOf(item['content']).map((old) => [stableJson(bare(objectOf(old))), old]),
  );
  return writeReply(message).map((block) => {
    const json = stableJson(block);
    return (json === null ? undefined : native.get(json)) ?? block;
  });
}

function bare(block: JsonObject): JsonObject {
  return omit(block, block['type'] === 'text' ? ['cache_control', 'citations'] : ['cache_control']);
}

function rewrittenResult(
  item: JsonObject,
  source: Source,
  message: Extract<Message, { role: 'tool' }>,
): unknown {
  const at = source.blocks?.[0];
  const content = listOf(item['content']).map((block, index) => {
    if (index !== at) return block;
    const old = omit(objectOf(block), ['content', 'is_error']);
    const kept = keepBlocks(objectOf(block)['content'], message.content);
    return { ...old, ...writeResult(message), content: kept };
  });
  return { ...item, content };
}

/** New blocks stand where the first old one stood; tool results stay in place. */
function replaceBlocks(
  native: readonly unknown[],
  old: readonly number[],
  content: Content,
): readonly unknown[] {
  const [first] = old;
  const written = keepBlocks(
    old.map((at) => native[at]),
    content,
  );
  const blocks = typeof written === 'string' ? [{ type: 'text', text: written }] : written;
  return native.flatMap((block, at) => (at === first ? blocks : old.includes(at) ? [] : [block]));
}

function keepBlocks(native: unknown, content: Content): string | readonly unknown[] {
  const items = listOf(native);
  if (typeof content === 'string') {
    const [only] = items;
    const isOneText = items.length === 1 && isObject(only) && only['type'] === 'text';
    return isOneText ? [{ ...only, text: content }] : writeContent(content);
  }
  return content.map((part, index) => {
    const item = items[index];
    return item !== undefined && sameJson(partOf(item), part) ? item : writePart(part);
  });
}
