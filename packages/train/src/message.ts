import type { Settings, ToolCall } from '@vf/core';
import { assistantMessage } from '@vf/renderers';
import type { Parsed, ReplyMessage } from '@vf/renderers';
import type { OfferedTools } from './tools.ts';

/** A reply, and the stop text that ended it, if one did. */
export interface SaidReply extends ReplyMessage {
  readonly stopWord: string | null;
}

/**
 * The reply in what was sampled, in the agent's own tools. Text from a stop string on is left out. Where the agent takes
 * one call at a time, those after the first stay text.
 */
export function messageOf(
  parsed: Parsed,
  offered: OfferedTools,
  { stop = [], parallelToolCalls = true }: Pick<Settings, 'stop' | 'parallelToolCalls'>,
  newId: (prefix: string) => string,
): SaidReply {
  let mayCall = true;
  const passOn = (call: ToolCall): ToolCall | null => {
    const made = mayCall ? offered.toAgent(call) : null;
    if (made !== null) mayCall = parallelToolCalls;
    return made;
  };
  const reply = assistantMessage(parsed, () => newId('call_'), passOn);
  const { message } = reply;
  const thought = cut(message.reasoning ?? '', stop);
  const said = cut(message.content ?? '', stop);
  const content = said.text === '' && message.toolCalls !== undefined ? null : said.text;
  const reasoning = message.reasoning === undefined ? {} : { reasoning: thought.text };
  return {
    ...reply,
    message: { ...message, ...reasoning, content },
    stopWord: thought.word ?? said.word,
  };
}

function cut(
  text: string,
  stop: readonly string[],
): { readonly text: string; readonly word: string | null } {
  let [end, found]: [number, string | null] = [text.length, null];
  for (const word of stop) {
    const at = text.indexOf(word);
    if (at >= 0 && at < end) [end, found] = [at, word];
  }
  return { text: text.slice(0, end), word: found };
}
