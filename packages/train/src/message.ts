import { assistantMessage } from '@vf/renderers';
import type { Parsed, ReplyMessage } from '@vf/renderers';
import type { OfferedTools } from './tools.ts';

/** The reply in what was sampled, in the agent's own tools. Text from a stop string on is left out. */
export function messageOf(
  parsed: Parsed,
  offered: OfferedTools,
  stop: readonly string[],
  newId: (prefix: string) => string,
): ReplyMessage {
  const reply = assistantMessage(parsed, () => newId('call_'), offered.toAgent);
  const { message } = reply;
  const text = before(message.content ?? '', stop);
  const content = text === '' && message.toolCalls !== undefined ? null : text;
  return { ...reply, message: { ...message, content } };
}

function before(text: string, stop: readonly string[]): string {
  const ends = stop.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}
