import type { AssistantMessage } from '@vf/core';
import type { Parsed } from './parsed.ts';

/** A parsed reply as a message, and how many calls of it could not be passed on. */
export interface ReplyMessage {
  readonly message: AssistantMessage;
  readonly malformedCalls: number;
}

/**
 * The message of a completion. Calls that are `ok` become calls; a malformed one stays visible as text.
 * @param newId gives an id to a call that has none; ids must not repeat within a conversation
 */
export function assistantMessage(parsed: Parsed, newId: (index: number) => string): ReplyMessage {
  const good = parsed.calls.filter((call) => call.status === 'ok');
  const bad = parsed.calls.filter((call) => call.status !== 'ok');
  const text = [parsed.content, ...bad.map((call) => call.raw)]
    .filter((part) => part !== '')
    .join('\n');
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' && good.length > 0 ? null : text,
    ...(parsed.reasoning === null ? {} : { reasoning: parsed.reasoning }),
    ...(good.length === 0
      ? {}
      : {
          toolCalls: good.map((call, index) => ({
            id: call.id ?? newId(index),
            name: call.name ?? '',
            arguments: call.arguments ?? '{}',
          })),
        }),
  };
  return { message, malformedCalls: bad.length };
}
