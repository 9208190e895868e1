import type { AssistantMessage, ToolCall } from '@vf/core';
import { isObject } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { assistantOf } from '../assistant.ts';

/** The provider's own items of a message where they still say what it says; null when it has none or was rewritten. */
export function nativeItemsOf(message: AssistantMessage): readonly JsonObject[] | null {
  const state = message.providerState ?? [];
  if (state.length === 0 || !state.every(isObject)) return null;
  return saysTheSame(assistantOf(state), message) ? state : null;
}

function saysTheSame(a: AssistantMessage, b: AssistantMessage): boolean {
  return (
    (a.content ?? '') === (b.content ?? '') &&
    (a.reasoning ?? '') === (b.reasoning ?? '') &&
    sameCalls(a.toolCalls ?? [], b.toolCalls ?? [])
  );
}

function sameCalls(a: readonly ToolCall[], b: readonly ToolCall[]): boolean {
  return a.length === b.length && a.every((call, index) => isSameCall(call, b[index]));
}

function isSameCall(a: ToolCall, b: ToolCall | undefined): boolean {
  return (
    a.id === b?.id &&
    a.name === b.name &&
    a.arguments === b.arguments &&
    (a.kind ?? 'function') === (b.kind ?? 'function') &&
    (a.namespace ?? '') === (b.namespace ?? '')
  );
}
