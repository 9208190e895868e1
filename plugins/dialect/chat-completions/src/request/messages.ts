import type { AssistantMessage, Message } from '@vf/core';
import { isObject, objectOf, present, stringOf } from '@vf/core/dialect';
import { assistantMessage, readAssistant } from './assistant.ts';
import { contentOf } from './content.ts';

/** Each item opens a message, but agents may split one reply into several assistant items. */
export function opens(item: unknown, previous: unknown): boolean {
  return !(isAssistant(item) && isAssistant(previous));
}

export function messages(group: readonly unknown[]): readonly Message[] {
  if (group.length === 1) return [readMessage(group[0])];
  return runs(group).map(({ items }) => {
    const read = items.map(readMessage);
    const replies = read.filter((message) => message.role === 'assistant');
    return replies.length > 1 ? merge(replies) : (read[0] ?? opaque(null));
  });
}

/** Items of a group that form one message each, with the index of the first. */
export function runs(group: readonly unknown[]): readonly { at: number; items: unknown[] }[] {
  const found: { at: number; items: unknown[] }[] = [];
  group.forEach((item, index) => {
    const last = found.at(-1);
    if (last === undefined || opens(item, group[index - 1]))
      found.push({ at: index, items: [item] });
    else last.items.push(item);
  });
  return found;
}

function isAssistant(item: unknown): boolean {
  return isObject(item) && item['role'] === 'assistant';
}

function readMessage(item: unknown): Message {
  const fields = objectOf(item);
  const content = () => contentOf(fields['content']);
  switch (fields['role']) {
    case 'assistant':
      return readAssistant(fields);
    case 'system':
    case 'developer':
      return { role: 'system', content: content() };
    case 'user':
      return { role: 'user', content: content() };
    case 'tool':
    case 'function':
      return present<Extract<Message, { role: 'tool' }>>({
        role: 'tool',
        toolCallId: stringOf(fields['tool_call_id']) ?? '',
        content: content(),
        name: stringOf(fields['name']),
      });
    default:
      return opaque(item);
  }
}

/** A message of an unknown role, kept as it came. */
function opaque(item: unknown): Message {
  return { role: 'user', content: [{ type: 'native', native: item }] };
}

function merge(replies: readonly AssistantMessage[]): AssistantMessage {
  return assistantMessage(
    replies.map(({ content }) => content ?? '').join(''),
    replies.flatMap(({ reasoning }) => reasoning || []).join('\n'),
    replies.flatMap(({ toolCalls }) => toolCalls ?? []),
    replies.flatMap(({ providerState }) => providerState ?? []),
  );
}
