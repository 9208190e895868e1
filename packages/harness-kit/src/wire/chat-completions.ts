import type { AssistantMessage, Content, Message, Part, ToolCall, ToolSpec } from '@vf/core';
import { isObject, listOf, objectOf, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { assembleChat } from './chat-stream.ts';
import { schemaOf } from './schema-of.ts';
import { tokensOf } from './tokens-of.ts';
import type { Wire } from './wire.ts';

export const chatCompletions: Wire = {
  path: '/v1/chat/completions',
  headers: (bearer) => ({ authorization: `Bearer ${bearer}` }),
  body: ({ model, system, items, tools, stream }) => ({
    model,
    messages: system === null ? items : [{ role: 'system', content: system }, ...items],
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  }),
  items: (messages) => messages.map(itemOf),
  answers: (answers) =>
    answers.map(({ call, content }) => ({
      role: 'tool',
      tool_call_id: call.id,
      content: contentOf(content),
    })),
  read(body) {
    const { message, finish_reason: finish } = objectOf(listOf(body['choices'])[0]);
    if (!isObject(message)) return null;
    return {
      items: [restated(message)],
      calls: listOf(message['tool_calls']).map(callOf),
      text: stringOf(message['content']) ?? '',
      isCut: finish === 'length',
      tokens: tokensOf(body['usage'], ['prompt_tokens', 'completion_tokens']),
    };
  },
  assemble: assembleChat,
};

/** What providers take back of their own replies. */
function restated(message: JsonObject): JsonObject {
  return present({
    role: 'assistant',
    reasoning: message['reasoning'],
    reasoning_content: message['reasoning_content'],
    reasoning_details: message['reasoning_details'],
    tool_calls: listOf(message['tool_calls']).length === 0 ? null : message['tool_calls'],
    content: message['content'] ?? '',
  });
}

function callOf(value: unknown): ToolCall {
  const call = objectOf(value);
  const { name, arguments: args } = objectOf(call['function']);
  return {
    id: stringOf(call['id']) ?? '',
    name: stringOf(name) ?? '',
    arguments: stringOf(args) ?? '',
  };
}

function toolOf({ name, description, parameters }: ToolSpec): JsonObject {
  const parts = { name, description, parameters: schemaOf(parameters) };
  return { type: 'function', function: present(parts) };
}

function itemOf(message: Message): JsonObject {
  switch (message.role) {
    case 'assistant':
      return assistantOf(message);
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        content: contentOf(message.content),
      };
    default:
      return { role: message.role, content: contentOf(message.content) };
  }
}

function assistantOf({ content, toolCalls = [] }: AssistantMessage): JsonObject {
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  return {
    role: 'assistant',
    content: content ?? '',
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function contentOf(content: Content): unknown {
  return typeof content === 'string' ? content : content.map(partOf);
}

function partOf(part: Part): unknown {
  if (part.type === 'native') return part.native;
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: part.url } };
}
