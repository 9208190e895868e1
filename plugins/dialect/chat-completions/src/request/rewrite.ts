import type { AssistantMessage, Content, Edit, Message } from '@vf/core';
import { isObject, listOf, omit, sameJson } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { contentOf, writeContent } from './content.ts';
import { messages, runs } from './messages.ts';
import { writeMessage } from './write-message.ts';

/** Fields of an assistant item by the canonical field that they spell. */
const spelledBy = {
  content: ['content'],
  reasoning: ['reasoning', 'reasoning_content'],
  toolCalls: ['tool_calls', 'function_call'],
  providerState: ['refusal', 'reasoning_details', 'audio'],
} as const;

/** Replaces message `index` of a group; what the canonical message does not say stays as the agent sent it. */
export function rewrite(
  group: readonly unknown[],
  index: number,
  message: Message,
): readonly Edit[] {
  const run = runs(group)[index];
  const said = messages(group)[index];
  if (run === undefined || sameJson(said, message)) return [];
  const [first, ...rest] = run.items;
  const removed = rest.map((_, offset) => ({ item: run.at + 1 + offset, value: undefined }));
  const value =
    message.role === 'assistant' && said?.role === 'assistant' && isObject(first)
      ? rewrittenReply(first, rest.length === 0 ? said : null, message)
      : rewritten(first, message);
  return [{ item: run.at, value }, ...removed];
}

/** `said` is what `item` alone says: its fields stay where they say the same as `message`. */
function rewrittenReply(
  item: JsonObject,
  said: AssistantMessage | null,
  message: AssistantMessage,
): JsonObject {
  const changed: readonly string[] = Object.entries(spelledBy).flatMap(([name, fields]) => {
    const key = name as keyof typeof spelledBy;
    return said !== null && sameJson(said[key] ?? null, message[key] ?? null) ? [] : [...fields];
  });
  const written = Object.entries(writeMessage(message)).filter(
    ([field]) => field === 'role' || changed.includes(field),
  );
  return { ...omit(item, changed), ...Object.fromEntries(written) };
}

function rewritten(item: unknown, message: Message): unknown {
  if (!isObject(item)) return writeMessage(message);
  const kept = keepParts(item['content'], message.content ?? '');
  if (message.role !== 'tool') return { ...item, role: roleOf(item, message), ...kept };
  const id = item['role'] === 'function' ? {} : { tool_call_id: message.toolCallId };
  return { ...item, ...id, ...kept };
}

/** `developer` stays `developer`. */
function roleOf(item: JsonObject, message: Message): unknown {
  return message.role === 'system' && item['role'] === 'developer' ? 'developer' : message.role;
}

/** Parts whose canonical form did not change stay native, cache marks included. */
function keepParts(native: unknown, content: Content): JsonObject {
  const items = listOf(native);
  if (typeof content === 'string') {
    const [only] = items;
    const isOneText = items.length === 1 && isObject(only) && only['type'] === 'text';
    return { content: isOneText ? [{ ...only, text: content }] : content };
  }
  const written = content.map((part, index) => {
    const item = items[index];
    const same =
      item !== undefined && sameJson(contentOf([item]), contentOf(listOf(writeContent([part]))));
    return same ? item : listOf(writeContent([part]))[0];
  });
  return { content: written };
}
