import type { AssistantMessage, Content, Message, Part, ToolCall, ToolSpec } from '@vf/core';
import { isObject, listOf, objectOf, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { schemaOf } from './schema-of.ts';
import { textIn } from './text-in.ts';
import { tokensOf } from './tokens-of.ts';
import type { Wire } from './wire.ts';

export const responses: Wire = {
  path: '/v1/responses',
  headers: (bearer) => ({ authorization: `Bearer ${bearer}` }),
  body: ({ model, system, items, tools, stream }) => ({
    model,
    ...(system === null ? {} : { instructions: system }),
    input: items,
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(stream ? { stream } : {}),
  }),
  items: (messages) => messages.flatMap(itemsOf),
  answers: (answers) =>
    answers.map(({ call, content }) => ({
      type: 'function_call_output',
      call_id: call.id,
      output: inputOf(content),
    })),
  read(body) {
    const output = body['output'];
    if (!Array.isArray(output)) return null;
    const calls = output.filter((item) => objectOf(item)['type'] === 'function_call');
    return {
      items: output,
      calls: calls.map(callOf),
      text: textIn(output.flatMap((item) => listOf(objectOf(item)['content']))),
      isCut: body['status'] === 'incomplete',
      tokens: tokensOf(body['usage'], ['input_tokens', 'output_tokens']),
    };
  },
  assemble,
};

/** The closing event holds the whole reply; providers that leave its output empty sent each item before. */
function assemble(events: readonly JsonObject[]): JsonObject | null {
  const last = events.findLast(({ type }) =>
    /^response\.(?:completed|incomplete)$/.test(stringOf(type) ?? ''),
  );
  if (!isObject(last?.['response'])) return null;
  const { response } = last;
  if (listOf(response['output']).length > 0) return response;
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  return { ...response, output: done.map(({ item }) => item) };
}

function callOf(value: unknown): ToolCall {
  const { call_id: id, name, arguments: args } = objectOf(value);
  return { id: stringOf(id) ?? '', name: stringOf(name) ?? '', arguments: stringOf(args) ?? '' };
}

function toolOf({ name, description, parameters, strict = false }: ToolSpec): JsonObject {
  // Without `strict` the API takes every schema for one of its strict subset.
  const tool = { type: 'function', name, description, strict, parameters: schemaOf(parameters) };
  return present(tool);
}

function itemsOf(message: Message): readonly JsonObject[] {
  switch (message.role) {
    case 'assistant':
      return assistantOf(message);
    case 'tool':
      return [
        {
          type: 'function_call_output',
          call_id: message.toolCallId,
          output: inputOf(message.content),
        },
      ];
    default:
      return [{ role: message.role, content: inputOf(message.content) }];
  }
}

function assistantOf({ content, toolCalls = [] }: AssistantMessage): readonly JsonObject[] {
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: args,
  }));
  return content === null ? calls : [{ role: 'assistant', content }, ...calls];
}

function inputOf(content: Content): unknown {
  return typeof content === 'string' ? content : content.map(partOf);
}

function partOf(part: Part): unknown {
  if (part.type === 'native') return part.native;
  return part.type === 'text'
    ? { type: 'input_text', text: part.text }
    : { type: 'input_image', image_url: part.url };
}
