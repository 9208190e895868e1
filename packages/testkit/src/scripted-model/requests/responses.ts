import type { AssistantMessage, Message, ToolCall, ToolSpec } from '@vf/core';
import { contentOf, list, record, text } from './content.ts';
import type { Json } from './content.ts';
import { functionTool } from './tools.ts';

/** Messages of a Responses request; each run of the model's items is one assistant message. */
export function responsesMessages(body: Json): Message[] {
  const messages: Message[] = [];
  if (typeof body['instructions'] === 'string')
    messages.push({ role: 'system', content: body['instructions'] });
  if (typeof body['input'] === 'string') messages.push({ role: 'user', content: body['input'] });
  for (const value of list(body['input'])) {
    const item = record(value);
    const message = otherSide(item);
    if (message !== null) messages.push(message);
    else add(messages, item);
  }
  return messages;
}

/** Tools of a Responses request, those inside namespaces too. */
export function responsesTools(body: Json): ToolSpec[] {
  return list(body['tools']).flatMap((value) => {
    const tool = record(value);
    if (tool['type'] === 'function') return [functionTool(tool, 'parameters')];
    if (tool['type'] === 'namespace') {
      return list(tool['tools']).map((inner) =>
        functionTool(record(inner), 'parameters', text(tool['name'])),
      );
    }
    return [{ name: text(tool['name']) || text(tool['type']), kind: text(tool['type']) }];
  });
}

function otherSide(item: Json): Message | null {
  const type = text(item['type']);
  if (type.endsWith('_output')) {
    return {
      role: 'tool',
      toolCallId: text(item['call_id']),
      content: contentOf(item['output']),
    };
  }
  const role = item['role'];
  if (role === 'user') return { role: 'user', content: contentOf(item['content']) };
  if (role === 'system' || role === 'developer')
    return { role: 'system', content: contentOf(item['content']) };
  return null;
}

/** Adds one of the model's own items to the assistant message it belongs to. */
function add(messages: Message[], item: Json): void {
  const last = messages.at(-1);
  const into: AssistantMessage =
    last?.role === 'assistant' ? last : { role: 'assistant', content: null };
  if (last?.role === 'assistant') messages.pop();
  messages.push(withItem(into, item));
}

function withItem(message: AssistantMessage, item: Json): AssistantMessage {
  const call = callOf(item);
  if (call !== null) return { ...message, toolCalls: [...(message.toolCalls ?? []), call] };
  if (item['type'] === 'reasoning') {
    const summary = list(item['summary']).map((part) => text(record(part)['text']));
    return {
      ...message,
      reasoning: summary.join('\n'),
      providerState: [...(message.providerState ?? []), item],
    };
  }
  const said = contentOf(item['content']);
  if (typeof said !== 'string' || said === '') return message;
  return { ...message, content: (message.content ?? '') + said };
}

function callOf(item: Json): ToolCall | null {
  const base = { id: text(item['call_id']), name: text(item['name']) };
  if (item['type'] === 'custom_tool_call')
    return { ...base, arguments: text(item['input']), kind: 'custom' };
  if (item['type'] !== 'function_call') return null;
  const namespace = typeof item['namespace'] === 'string' ? { namespace: item['namespace'] } : {};
  return { ...base, arguments: text(item['arguments']), ...namespace };
}
