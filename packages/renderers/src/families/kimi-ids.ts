import type { Message } from '@vf/core';

/** Ids of calls as Kimi writes them. */
export interface KimiIds {
  /** Of the calls of the reply at this index. */
  ofReply(index: number): readonly string[];
  /** Of the result at this index. */
  ofResult(index: number): string;
}

const shape = /^functions\..+:\d+$/;

/** An id of Kimi's own shape stays; another becomes `functions.NAME:N`, N counting the calls of the conversation. */
export function kimiIds(messages: readonly Message[]): KimiIds {
  return {
    ofReply: (index) => idsOfReply(messages, index),
    ofResult(index) {
      const message = messages[index];
      if (message?.role !== 'tool') return '';
      if (shape.test(message.toolCallId)) return message.toolCallId;
      return idOfAnswered(messages, index, message.toolCallId) ?? message.toolCallId;
    },
  };
}

function idsOfReply(messages: readonly Message[], index: number): readonly string[] {
  const message = messages[index];
  const calls = message?.role === 'assistant' ? (message.toolCalls ?? []) : [];
  if (calls.every(({ id }) => shape.test(id))) return calls.map(({ id }) => id);
  const before = callsBefore(messages, index);
  return calls.map(({ id, name }, at) =>
    shape.test(id) ? id : `functions.${name}:${before + at}`,
  );
}

/** The nearest reply before the result knows the call by the agent's own id. */
function idOfAnswered(messages: readonly Message[], index: number, id: string): string | undefined {
  const reply = messages.findLastIndex((message, at) => at < index && message.role === 'assistant');
  const message = messages[reply];
  const calls = message?.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const position = calls.findIndex((call) => call.id === id);
  return position < 0 ? undefined : idsOfReply(messages, reply)[position];
}

function callsBefore(messages: readonly Message[], index: number): number {
  let count = 0;
  for (let at = 0; at < index; at++) {
    const message = messages[at];
    if (message?.role === 'assistant') count += message.toolCalls?.length ?? 0;
  }
  return count;
}
