import type { AssistantMessage, ToolCall } from '@vf/core';
import { isObject, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { assistantOf } from './assistant.ts';

/**
 * The provider's own items of a message, when they still say what it says. A rewritten message, or one that comes
 * from another dialect, has none: null.
 */
export function nativeItemsOf(message: AssistantMessage): readonly JsonObject[] | null {
  const items = (message.providerState ?? []).filter(isItem);
  if (items.length === 0 || items.length !== message.providerState?.length) return null;
  return saysTheSame(assistantOf(items), message) ? items : null;
}

/** State that stands for something the canonical fields do not hold (a hosted call, say), in this dialect's form. */
export function opaqueItemsOf(message: AssistantMessage): readonly JsonObject[] {
  const represented = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call']);
  return (message.providerState ?? [])
    .filter(isItem)
    .filter((item) => !represented.has(stringOf(item['type']) ?? 'message'));
}

function isItem(value: unknown): value is JsonObject {
  return isObject(value) && typeof (value['type'] ?? value['role']) === 'string';
}

function saysTheSame(a: AssistantMessage, b: AssistantMessage): boolean {
  return (
    (a.content ?? '') === (b.content ?? '') &&
    (a.reasoning ?? '') === (b.reasoning ?? '') &&
    sameCalls(a.toolCalls ?? [], b.toolCalls ?? [])
  );
}

function sameCalls(a: readonly ToolCall[], b: readonly ToolCall[]): boolean {
  return (
    a.length === b.length &&
    a.every((call, index) => {
      const other = b[index];
      return (
        call.id === other?.id &&
        call.name === other.name &&
        call.arguments === other.arguments &&
        (call.kind ?? 'function') === (other.kind ?? 'function') &&
        (call.namespace ?? '') === (other.namespace ?? '')
      );
    })
  );
}
