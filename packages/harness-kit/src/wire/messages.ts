import type { AssistantMessage, Content, Message, Part, ToolCall, ToolSpec } from '@vf/core';
import { listOf, objectOf, parseJson, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { assembleMessage } from './messages-stream.ts';
import { schemaOf } from './schema-of.ts';
import { textIn } from './text-in.ts';
import { tokensOf } from './tokens-of.ts';
import type { ToolAnswer, Wire } from './wire.ts';

/** The API demands a bound; a run's `sampling` sets another. */
const maxTokens = 8192;

export const messages: Wire = {
  path: '/v1/messages',
  headers: (bearer) => ({ 'x-api-key': bearer, 'anthropic-version': '2023-06-01' }),
  body: ({ model, system, items, tools, stream }) => ({
    model,
    max_tokens: maxTokens,
    ...(system === null ? {} : { system }),
    messages: items,
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(stream ? { stream } : {}),
  }),
  items: (list) => list.filter(({ role }) => role !== 'system').map(itemOf),
  answers: (answers) => [{ role: 'user', content: answers.map(answerOf) }],
  read(body) {
    if (!Array.isArray(body['content'])) return null;
    const blocks = listOf(body['content']);
    const calls = blocks.filter((block) => objectOf(block)['type'] === 'tool_use').map(callOf);
    // An empty reply cannot be restated.
    return {
      items: blocks.length === 0 ? [] : [{ role: 'assistant', content: blocks }],
      calls,
      text: textIn(blocks),
      isCut: body['stop_reason'] === 'max_tokens',
      tokens: tokensOf(body['usage'], tokenKeys),
    };
  },
  assemble: assembleMessage,
};

const tokenKeys = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens',
];

function answerOf({ call, content, isError }: ToolAnswer): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: contentOf(content),
    ...(isError ? { is_error: true } : {}),
  };
}

function callOf(value: unknown): ToolCall {
  const { id, name, input } = objectOf(value);
  return {
    id: stringOf(id) ?? '',
    name: stringOf(name) ?? '',
    arguments: JSON.stringify(input ?? {}),
  };
}

function toolOf({ name, description, parameters }: ToolSpec): JsonObject {
  return present({ name, description, input_schema: schemaOf(parameters) });
}

function itemOf(message: Message): JsonObject {
  if (message.role === 'assistant') return assistantOf(message);
  if (message.role !== 'tool') return { role: 'user', content: contentOf(message.content) };
  const block = {
    type: 'tool_result',
    tool_use_id: message.toolCallId,
    content: contentOf(message.content),
    ...(message.isError === true ? { is_error: true } : {}),
  };
  return { role: 'user', content: [block] };
}

function assistantOf({ content, toolCalls = [] }: AssistantMessage): JsonObject {
  if (toolCalls.length === 0) return { role: 'assistant', content: content ?? '' };
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'tool_use',
    id,
    name,
    input: objectOf(parseJson(args)),
  }));
  const text = content === null || content === '' ? [] : [{ type: 'text', text: content }];
  return { role: 'assistant', content: [...text, ...calls] };
}

function contentOf(content: Content): unknown {
  return typeof content === 'string' ? content : content.map(partOf);
}

function partOf(part: Part): unknown {
  if (part.type === 'native') return part.native;
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', source: imageSource(part.url) };
}

function imageSource(url: string): JsonObject {
  const [, type, data] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? [];
  return data === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data };
}
