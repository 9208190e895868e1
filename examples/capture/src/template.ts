import { createHash } from 'node:crypto';
import type { Message } from '@vf/core';
import { textOf } from '@vf/core/trace';

/** The made model reads a token for each byte; this is how a conversation becomes its prompt. */
const template = 'for each message: ROLE, ": ", TEXT AND CALLS, "\\n"; then "assistant: "';

export const templateSha256 = createHash('sha256').update(template).digest('hex');

/** One more than the largest id. */
export const vocabulary = 256;

/** What the model writes for a reply, its end included. */
export function written(message: Message): string {
  if (message.role !== 'assistant') return `${textOf(message.content)}\n`;
  const calls = (message.toolCalls ?? []).map((call) => `${call.name} ${call.arguments}`);
  return `${[message.content ?? '', ...calls].filter((text) => text !== '').join(' ')}\n`;
}

/** The prompt as ids, and where each message lies in it. */
export function rendered(messages: readonly Message[]) {
  const bytes: number[] = [];
  const spans = messages.map((message): [number, number] => {
    const start = bytes.length;
    bytes.push(...Buffer.from(`${message.role}: ${written(message)}`));
    return [start, bytes.length];
  });
  return { promptIds: [...bytes, ...Buffer.from('assistant: ')], spans };
}
