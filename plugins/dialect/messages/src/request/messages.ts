import type { AssistantMessage, Message } from '@vf/core';
import { isObject, objectOf, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { contentOf } from './content.ts';
import { readAssistant } from './read-blocks.ts';

/** Where a canonical message stands: its items in the group, and which blocks of the first when not all. */
export interface Source {
  readonly message: Message;
  readonly item: number;
  /** Items of a merged run; 1 for all else. */
  readonly items: number;
  /** `null`: the whole item. */
  readonly blocks: readonly number[] | null;
}

/** Consecutive assistant items are one reply that was split, unless the first was paused for the provider's tools. */
export function opens(item: unknown, previous: unknown): boolean {
  return !(isAssistant(item) && isAssistant(previous)) || isPaused(previous);
}

export function messages(group: readonly unknown[]): readonly Message[] {
  return sources(group).map(({ message }) => message);
}

export function sources(group: readonly unknown[]): readonly Source[] {
  const found: Source[] = [];
  for (let at = 0; at < group.length;) {
    const run = runFrom(group, at);
    found.push(...(run.length > 1 ? [mergedSource(run, at)] : itemSources(group[at], at)));
    at += run.length;
  }
  return found;
}

function runFrom(group: readonly unknown[], first: number): readonly unknown[] {
  let end = first + 1;
  while (end < group.length && !opens(group[end], group[end - 1])) end++;
  return group.slice(first, end);
}

function isAssistant(item: unknown): item is JsonObject {
  return isObject(item) && item['role'] === 'assistant';
}

/** A reply that stopped with `pause_turn` ends with a block of a tool that the provider runs. */
function isPaused(item: unknown): boolean {
  const content = objectOf(item)['content'];
  const type = Array.isArray(content) ? stringOf(objectOf(content.at(-1))['type']) : null;
  return type !== null && /^(server_tool_use|mcp_tool_use|.+_tool_result)$/.test(type);
}

function mergedSource(run: readonly unknown[], item: number): Source {
  const replies = run.map((each) => readAssistant(objectOf(each)['content']));
  return { message: merge(replies), item, items: run.length, blocks: null };
}

function merge(replies: readonly AssistantMessage[]): AssistantMessage {
  const reasoning = replies.flatMap((reply) => reply.reasoning || []).join('\n');
  const toolCalls = replies.flatMap((reply) => reply.toolCalls ?? []);
  const providerState = replies.flatMap((reply) => reply.providerState ?? []);
  return {
    role: 'assistant',
    content: replies.map(({ content }) => content ?? '').join('') || null,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(providerState.length === 0 ? {} : { providerState }),
  };
}

function itemSources(item: unknown, index: number): readonly Source[] {
  const fields = objectOf(item);
  const whole = (message: Message): readonly Source[] => [
    { message, item: index, items: 1, blocks: null },
  ];
  switch (fields['role']) {
    case 'assistant':
      return whole(readAssistant(fields['content']));
    case 'system':
      return whole({ role: 'system', content: contentOf(fields['content']) });
    case 'user':
      return userSources(fields['content'], index);
    default:
      return whole({ role: 'user', content: [{ type: 'native', native: item }] });
  }
}

/** Each tool result is a message of its own, first; what else the user says is one message. */
function userSources(content: unknown, item: number): readonly Source[] {
  const blocks = Array.isArray(content) ? content : [];
  const results = blocks.flatMap((block: unknown, at): Source[] =>
    isResult(block) ? [{ message: toolMessage(block), item, items: 1, blocks: [at] }] : [],
  );
  if (results.length === 0) {
    return [
      { message: { role: 'user', content: contentOf(content) }, item, items: 1, blocks: null },
    ];
  }
  const others = blocks.flatMap((block, at) => (isResult(block) ? [] : [at]));
  if (others.length === 0) return results;
  const said = contentOf(others.map((at) => blocks[at] as unknown));
  return [...results, { message: { role: 'user', content: said }, item, items: 1, blocks: others }];
}

function isResult(block: unknown): block is JsonObject {
  return isObject(block) && block['type'] === 'tool_result';
}

function toolMessage(block: JsonObject): Message {
  return present<Extract<Message, { role: 'tool' }>>({
    role: 'tool',
    toolCallId: stringOf(block['tool_use_id']) ?? '',
    content: contentOf(block['content']),
    isError: block['is_error'] === true ? true : null,
  });
}
