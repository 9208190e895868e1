import type { AssistantMessage, ToolCall } from '@vf/core';
import { writeParts } from '../content.ts';
import { deltasOf } from '../output/deltas-of.ts';
import { OutputBuilder } from '../output/output-builder.ts';
import { isOwnItem } from '../output/own-item.ts';
import { nativeItemsOf } from '../output/native-items.ts';

/**
 * The items that one assistant message is restated as: the provider's own where it has them, with the message's text
 * and calls put in where they no longer say the same.
 */
export function assistantItems(message: AssistantMessage): readonly unknown[] {
  const native = nativeItemsOf(message);
  if (native !== null) return native;
  return (message.providerState ?? []).some(isOwnItem) ? renewed(message) : fresh(message);
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
