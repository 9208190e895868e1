import type { Message } from '@vf/core';
import { textOf } from '@vf/core/trace';
import type { ContextMessage } from '../contract/trajectory.ts';

/**
 * Messages as text, for audit. Reasoning comes before the text of a reply and tool calls after it, each a line of
 * JSON: `{"reasoning":…}`, `{"tool_call":{"id":…,"name":…,"arguments":…}}`.
 */
export function contextOf(messages: readonly Message[]): ContextMessage[] {
  return messages.map((message) => ({ role: message.role, content: contentOf(message) }));
}

function contentOf(message: Message): string {
  if (message.role !== 'assistant') return textOf(message.content);
  const lines = [
    ...(message.reasoning ? [JSON.stringify({ reasoning: message.reasoning })] : []),
    ...(message.content ? [message.content] : []),
    ...(message.toolCalls ?? []).map(({ id, name, arguments: args }) =>
      JSON.stringify({ tool_call: { id, name, arguments: args } }),
    ),
  ];
  return lines.join('\n');
}

/** Images and other parts that are no text. */
export function hasMedia(messages: readonly Message[]): boolean {
  return messages.some(
    ({ content }) => Array.isArray(content) && content.some(({ type }) => type !== 'text'),
  );
}
