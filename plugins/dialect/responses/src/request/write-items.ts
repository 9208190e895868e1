import type { Content, Message, ToolMessage } from '@vf/core';
import { isObject, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { writeParts } from '../content.ts';
import { assistantItems } from './assistant-items.ts';

/** Input items for messages. Results of custom tools are told apart by the calls that stand before them. */
export function writeItems(messages: readonly Message[]): unknown[] {
  const custom = new Set<string>();
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [toolItem(message, custom.has(message.toolCallId))];
    if (message.role !== 'assistant') return [messageItem(message.role, message.content)];
    for (const call of message.toolCalls ?? []) if (call.kind === 'custom') custom.add(call.id);
    return assistantItems(message);
  });
}

function toolItem(message: ToolMessage, isCustom: boolean): JsonObject {
  const whole = wholeItemOf(message.content);
  if (whole !== null) return whole;
  const { content } = message;
  return {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: message.toolCallId,
    output: typeof content === 'string' ? content : writeParts(content, 'input_text'),
  };
}

function messageItem(role: 'system' | 'user', content: Content): unknown {
  const [only] = typeof content === 'string' ? [] : content;
  if (only?.type === 'native' && !isObject(only.native)) return only.native;
  return (
    wholeItemOf(content) ?? { type: 'message', role, content: writeParts(content, 'input_text') }
  );
}

/** An item that was kept whole as its message's one part; null for content. */
function wholeItemOf(content: Content): JsonObject | null {
  if (typeof content === 'string' || content.length !== 1) return null;
  const [part] = content;
  if (part?.type !== 'native' || !isObject(part.native)) return null;
  const type = stringOf(part.native['type']) ?? '';
  return type === '' || /^(input|output)_|^refusal$/.test(type) ? null : part.native;
}
