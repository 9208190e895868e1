import type { AssistantMessage, ToolCall } from '@vf/core';
import type { Parsed, ParsedCall } from '@vf/renderers';
import type { OfferedTools } from './tools.ts';

/**
 * The reply in what was sampled. Calls that are well-formed become calls; the text of others stays text, so that
 * nothing the model wrote vanishes. Text from a stop string on is left out.
 */
export function messageOf(
  { content, reasoning, calls }: Parsed,
  offered: OfferedTools,
  stop: readonly string[],
  newId: (prefix: string) => string,
): AssistantMessage {
  const toolCalls: ToolCall[] = [];
  const texts = [content];
  for (const call of calls) {
    const made = callOf(call, offered, newId);
    if (made === null) texts.push(call.raw);
    else toolCalls.push(made);
  }
  const text = before(texts.filter((part) => part !== '').join('\n'), stop);
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(reasoning === null ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function callOf(
  { id, status, name, arguments: given }: ParsedCall,
  offered: OfferedTools,
  newId: (prefix: string) => string,
): ToolCall | null {
  if (status !== 'ok' || name === null) return null;
  return offered.toAgent({ id: id ?? newId('call_'), name, arguments: given ?? '{}' });
}

function before(text: string, stop: readonly string[]): string {
  const ends = stop.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}
