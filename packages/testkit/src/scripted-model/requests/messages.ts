import type { AssistantMessage, Message, ToolCall, ToolSpec } from '@vf/core';
import { contentOf, list, record, text } from './content.ts';
import type { Json } from './content.ts';
import { functionTool } from './tools.ts';

/** Messages of a Messages request; each tool result is a message of its own, before the user's words. */
export function messagesMessages(body: Json): Message[] {
  const system = contentOf(body['system']);
  const preamble: Message[] = system === '' ? [] : [{ role: 'system', content: system }];
  return preamble.concat(
    list(body['messages']).flatMap((item) => {
      const message = record(item);
      if (message['role'] === 'assistant') return [assistant(message)];
      if (message['role'] === 'system')
        return [{ role: 'system' as const, content: contentOf(message['content']) }];
      return user(message);
    }),
  );
}

/** Tools of a Messages request; a typed one has its type as kind. */
export function messagesTools(body: Json): ToolSpec[] {
  return list(body['tools']).map((item) => {
    const tool = record(item);
    const kind = text(tool['type']);
    const spec = functionTool(tool, 'input_schema');
    return kind === '' || kind === 'custom' ? spec : { ...spec, kind };
  });
}

function user(message: Json): Message[] {
  const content = message['content'];
  if (!Array.isArray(content)) return [{ role: 'user', content: text(content) }];
  const blocks = content.map(record);
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  const rest = blocks.filter((block) => block['type'] !== 'tool_result');
  const tools: Message[] = results.map((block) => ({
    role: 'tool',
    toolCallId: text(block['tool_use_id']),
    content: contentOf(block['content']),
    ...(block['is_error'] === true ? { isError: true } : {}),
  }));
  return rest.length === 0 ? tools : [...tools, { role: 'user', content: contentOf(rest) }];
}

function assistant(message: Json): AssistantMessage {
  if (!Array.isArray(message['content']))
    return { role: 'assistant', content: text(message['content']) };
  const blocks = message['content'].map(record);
  const of = (type: string): Json[] => blocks.filter((block) => block['type'] === type);
  const said = of('text')
    .map((block) => text(block['text']))
    .join('');
  const calls = of('tool_use').map(callOf);
  const state = blocks.filter((block) => text(block['type']).endsWith('thinking'));
  return {
    role: 'assistant',
    content: said === '' ? null : said,
    ...(calls.length > 0 ? { toolCalls: calls } : {}),
    ...(state.length > 0
      ? {
          providerState: state,
          reasoning: state.map((block) => text(block['thinking'])).join('\n'),
        }
      : {}),
  };
}

function callOf(block: Json): ToolCall {
  return {
    id: text(block['id']),
    name: text(block['name']),
    arguments: JSON.stringify(block['input']),
  };
}
