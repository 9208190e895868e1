import type { AssistantMessage, ToolCall } from '@vf/core';
import { isObject } from '@vf/core/dialect';
import { assistantOf } from '../assistant.ts';
import { writeParts } from '../content.ts';
import { deltasOf } from '../output/deltas-of.ts';
import { OutputBuilder } from '../output/output-builder.ts';
import { isOwnItem } from '../output/own-item.ts';

/**
 * The items that one assistant message is restated as: the provider's own where it has them, with the message's text
 * and calls put in where they no longer say the same.
 */
export function assistantItems(message: AssistantMessage): readonly unknown[] {
  const state = message.providerState ?? [];
  if (state.length > 0 && state.every(isObject) && saysTheSame(assistantOf(state), message))
    return state;
  return state.some(isOwnItem) ? renewed(message) : fresh(message);
}

function renewed(message: AssistantMessage): readonly unknown[] {
  let count = 0;
  const builder = new OutputBuilder(
    () => undefined,
    (prefix) => `${prefix}${++count}`,
  );
  builder.addAll(deltasOf(message));
  return builder.end();
}

/** Reasoning as its own content: llama.cpp and vLLM read it there, and a summary is not what the model thought. */
function fresh({ content, reasoning, toolCalls }: AssistantMessage): readonly unknown[] {
  const thought = [{ type: 'reasoning_text', text: reasoning }];
  return [
    ...(reasoning ? [{ type: 'reasoning', id: 'rs_1', summary: [], content: thought }] : []),
    ...(content ? [{ ...shell, content: writeParts(content, 'output_text') }] : []),
    ...(toolCalls ?? []).map(callItem),
  ];
}

const shell = { type: 'message', role: 'assistant', status: 'completed' } as const;

function callItem(call: ToolCall): Record<string, unknown> {
  const isCustom = call.kind === 'custom';
  return {
    type: isCustom ? 'custom_tool_call' : 'function_call',
    call_id: call.id,
    name: call.name,
    [isCustom ? 'input' : 'arguments']: call.arguments,
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
  };
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
