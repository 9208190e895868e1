import type { Message } from '@vf/core';
import { textOfMessage } from '../../content.ts';
import { strip } from './text.ts';

/** The last message of a user, −1 when there is none. */
export function lastUser(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'user');
}

/** The last user's message that is no wrapped tool result (qwen's templates). */
export function lastQuery(messages: readonly Message[], trimmed: boolean): number {
  return messages.findLastIndex((message) => {
    if (message.role !== 'user') return false;
    const text = trimmed ? strip(textOfMessage(message)) : textOfMessage(message);
    return !(text.startsWith('<tool_response>') && text.endsWith('</tool_response>'));
  });
}
