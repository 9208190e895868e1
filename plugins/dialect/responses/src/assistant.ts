import type { AssistantMessage, ToolCall } from '@vf/core';
import { isObject, listOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { sideOf, typeOf } from './item.ts';

/** One assistant message of a run of items, or of a response's output; the items themselves are its provider state. */
export function assistantOf(items: readonly unknown[]): AssistantMessage {
  const own = items.filter(isObject);
  const said = own.filter((item) => sideOf(item) === 'assistant');
  const texts = said.filter((item) => typeOf(item) === 'message').flatMap(textsOf);
  const reasoning = said.filter((item) => typeOf(item) === 'reasoning').flatMap(reasoningOf);
  const toolCalls = said.flatMap((item) => toolCallOf(item) ?? []);
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(reasoning.length === 0 ? {} : { reasoning: reasoning.join('\n') }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(own.length === 0 ? {} : { providerState: own }),
  };
}

/** The call that an item asks the agent's program to make; null when it is something else. */
export function toolCallOf(item: JsonObject): ToolCall | null {
  const type = typeOf(item);
  const isCustom = type === 'custom_tool_call';
  if (!isCustom && type !== 'function_call') return null;
  const namespace = stringOf(item['namespace']);
  return {
    id: stringOf(item['call_id']) ?? stringOf(item['id']) ?? '',
    name: stringOf(item['name']) ?? '',
    arguments: stringOf(item[isCustom ? 'input' : 'arguments']) ?? '',
    ...(isCustom ? { kind: 'custom' } : {}),
    ...(namespace === null ? {} : { namespace }),
  };
}

/** The texts of a message item, in order; refusals are none. */
export function textsOf(message: JsonObject): readonly string[] {
  const { content } = message;
  if (typeof content === 'string') return [content];
  return listOf(content).flatMap((part) => {
    if (!isObject(part) || (part['type'] !== 'output_text' && part['type'] !== 'text')) return [];
    return stringOf(part['text']) ?? [];
  });
}

/** Summary first, then the reasoning itself, empty ones left out. */
export function reasoningOf(item: JsonObject): readonly string[] {
  const parts = [...listOf(item['summary']), ...listOf(item['content'])].filter(isObject);
  return parts.map((part) => stringOf(part['text']) ?? '').filter((text) => text !== '');
}
