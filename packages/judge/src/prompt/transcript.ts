import { textOf } from '@vf/core/trace';
import type { Message, Trace } from '@vf/core';

/** The main conversation of a rollout as text: who said what, with tool calls and their results; no system prompt. */
export function transcriptOf(trace: Pick<Trace, 'messages'>): string {
  return trace.messages.flatMap(lines).join('\n\n');
}

function lines(message: Message): string[] {
  const text = textOf(message.content);
  if (message.role === 'user') return [`user: ${text}`];
  if (message.role === 'tool')
    return [`tool result${message.isError === true ? ' (error)' : ''}: ${text}`];
  if (message.role === 'system') return [];
  return [
    ...(text === '' ? [] : [`assistant: ${text}`]),
    ...(message.toolCalls ?? []).map((call) => `assistant calls ${call.name}: ${call.arguments}`),
  ];
}
