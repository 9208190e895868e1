import type { Message, ToolCall, ToolSpec } from '@vf/core';
import { contentOf, list, record, text } from './content.ts';
import type { Json } from './content.ts';
import { functionTool } from './tools.ts';

/** Messages of a Chat Completions request. */
export function chatMessages(body: Json): Message[] {
  return list(body['messages']).map((item) => chatMessage(record(item)));
}

/** Tools of a Chat Completions request. */
export function chatTools(body: Json): ToolSpec[] {
  return list(body['tools']).map((item) => {
    const tool = record(item);
    if (tool['type'] === 'custom')
      return { name: text(record(tool['custom'])['name']), kind: 'custom' };
    return functionTool(record(tool['function']), 'parameters');
  });
}

function chatMessage(message: Json): Message {
  const content = contentOf(message['content']);
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', content };
    case 'tool':
      return { role: 'tool', toolCallId: text(message['tool_call_id']), content };
    case 'assistant': {
      const calls = list(message['tool_calls']).map((call) => chatCall(record(call)));
      const reasoning = text(message['reasoning_content']) || text(message['reasoning']);
      return {
        role: 'assistant',
        content: typeof content === 'string' && content !== '' ? content : null,
        ...(calls.length > 0 ? { toolCalls: calls } : {}),
        ...(reasoning === '' ? {} : { reasoning }),
      };
    }
    default:
      return { role: 'user', content };
  }
}

function chatCall(call: Json): ToolCall {
  const id = text(call['id']);
  if (call['type'] === 'custom') {
    const custom = record(call['custom']);
    return { id, name: text(custom['name']), arguments: text(custom['input']), kind: 'custom' };
  }
  const called = record(call['function']);
  return { id, name: text(called['name']), arguments: text(called['arguments']) };
}
