import type { AssistantMessage, ToolCall } from '@vf/core';
import type { Parsed, ParsedCall } from './parsed.ts';

/** A parsed reply as a message, and how many calls of it could not be passed on. */
export interface ReplyMessage {
  readonly message: AssistantMessage;
  readonly malformedCalls: number;
}

/**
 * The message of a completion. Calls that are `ok` become calls; the text of others stays text, so that nothing the
 * model wrote vanishes.
 * @param newId gives an id to a call that has none; ids must not repeat within a conversation
 * @param passOn a call as whoever made the prompt knows it; null: it cannot be one. Default: as it is
 */
export function assistantMessage(
  { content, reasoning, calls }: Parsed,
  newId: (index: number) => string,
  passOn: (call: ToolCall) => ToolCall | null = (call) => call,
): ReplyMessage {
  const toolCalls: ToolCall[] = [];
  const texts = [content];
  for (const call of calls) {
    const good = whole(call, () => newId(toolCalls.length));
    const made = good === null ? null : passOn(good);
    if (made === null) texts.push(call.raw);
    else toolCalls.push(made);
  }
  const text = texts.filter((part) => part !== '').join('\n');
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(reasoning === null ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  return { message, malformedCalls: calls.length - toolCalls.length };
}

function whole({ id, status, name, arguments: given }: ParsedCall, newId: () => string) {
  if (status !== 'ok' || name === null) return null;
  return { id: id ?? newId(), name, arguments: given ?? '{}' };
}
