import type { Content, Message } from '@vf/core';
import { isObject, listOf, omit } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { assistantOf } from '../assistant.ts';
import { contentOf } from '../content.ts';
import { callIdOf, sideOf, typeOf } from '../item.ts';

/** A run of items on the assistant's side is one message; every other item is one of its own. */
export function opens(item: unknown, previous: unknown): boolean {
  return sideOf(item) !== 'assistant' || previous === undefined || sideOf(previous) !== 'assistant';
}

/** Where the messages of a list of items begin and end: `[start, end)`. */
export function spansOf(items: readonly unknown[]): readonly (readonly [number, number])[] {
  const starts = items.flatMap((item, index) =>
    index === 0 || opens(item, items[index - 1]) ? [index] : [],
  );
  return starts.map((start, index) => [start, starts[index + 1] ?? items.length]);
}

export function messagesOf(items: readonly unknown[]): readonly Message[] {
  return spansOf(items).map(([start, end]) => messageOf(items.slice(start, end)));
}

/** System prompt of `instructions`, then the one user message of an `input` that is no list. */
export function preambleOf(top: JsonObject): readonly Message[] {
  const { instructions, input } = top;
  const system: readonly Message[] =
    typeof instructions === 'string' && instructions !== ''
      ? [{ role: 'system', content: instructions }]
      : messagesOf(listOf(instructions));
  if (input === null || input === undefined || Array.isArray(input)) return system;
  return [...system, { role: 'user', content: contentOf(input) }];
}

function messageOf(items: readonly unknown[]): Message {
  const [item] = items;
  const side = sideOf(item);
  if (side === 'assistant') return assistantOf(items);
  if (!isObject(item)) return { role: 'user', content: [{ type: 'native', native: item }] };
  if (side === 'tool') {
    return { role: 'tool', toolCallId: callIdOf(item), content: outputOf(item) };
  }
  const content = typeOf(item) === 'message' ? contentOf(item['content']) : whole(item);
  return { role: side, content };
}

/** Results of function and custom calls are content; those of other tools are kept whole. */
function outputOf(item: JsonObject): Content {
  const type = typeOf(item);
  const isContent = type === 'function_call_output' || type === 'custom_tool_call_output';
  return isContent ? contentOf(item['output']) : whole(item);
}

/** An item as one opaque part. Agents add ids and statuses to what they say again, so these do not count. */
function whole(item: JsonObject): Content {
  return [{ type: 'native', native: omit(item, ['id', 'status']) }];
}
