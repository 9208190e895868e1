import type { AssistantMessage, Message, ToolCall } from '@vf/core';
import { objectOf, present } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { writeContent } from './content.ts';
import { fieldsOf } from './provider-state.ts';

/** A canonical message as an item of `messages`. */
export function writeMessage(message: Message): JsonObject {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', ...assistantFields(message) };
    case 'tool': {
      const { toolCallId, name } = message;
      return present({
        role: 'tool',
        tool_call_id: toolCallId,
        name,
        content: writeContent(message.content),
      });
    }
    default:
      return { role: message.role, content: writeContent(message.content) };
  }
}

/** Fields of an assistant message, in a request or a plain reply. */
export function assistantFields(message: AssistantMessage): JsonObject {
  const native = fieldsOf(message.providerState ?? []);
  const reasoning =
    message.reasoning == null || message.reasoning === '' ? null : message.reasoning;
  const calls = (message.toolCalls ?? []).map(writeCall);
  return {
    content: contentField(message.content, native.parts),
    ...present({
      refusal: native.refusal === '' ? null : native.refusal,
      [native.field]: reasoning,
      reasoning_details: native.details.length === 0 ? null : native.details,
      audio: native.audio === null ? null : { id: native.audio },
      tool_calls: calls.length === 0 ? null : calls,
    }),
  };
}

function contentField(text: string | null, parts: readonly unknown[]): unknown {
  if (parts.length === 0) return text === '' ? null : text;
  const said = text === null || text === '' ? [] : [{ type: 'text', text }];
  return [...said, ...parts.map((item) => objectOf(item)['part'])];
}

function writeCall(call: ToolCall): JsonObject {
  const { id, name } = call;
  return call.kind === 'custom'
    ? { id, type: 'custom', custom: { name, input: call.arguments } }
    : { id, type: 'function', function: { name, arguments: call.arguments } };
}
