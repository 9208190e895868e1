import type { AssistantMessage } from '@vf/core';
import { notRenderable } from '../../content.ts';
import type { Conversation } from '../../family.ts';
import { jsonText } from '../../python/json-text.ts';
import type { Script } from '../../script.ts';
import { argumentsOf } from '../shared/arguments.ts';

const start = '<|start|>assistant';

/**
 * A reply as harmony's messages, one per channel. Only what belongs to the turn under way keeps its analysis.
 * Text and reasoning beside a call have no form in the template; they become a preamble on the commentary channel.
 */
export function writeHarmonyReply(
  script: Script,
  { messages, generation }: Conversation,
  message: AssistantMessage,
  index: number,
): void {
  const reasoning = message.reasoning ?? '';
  const content = message.content ?? '';
  const [call, ...more] = message.toolCalls ?? [];
  if (more.length > 0)
    throw notRenderable('gpt-oss writes one call a reply, and a message here has several.');
  script.frame(start);
  script.sampled = true;
  if (call === undefined) {
    const last = index === messages.length - 1 && !generation;
    if (last && message.reasoning !== undefined && message.reasoning !== null) {
      writeChannel(script, 'analysis', 'reasoning', reasoning);
    }
    script.frame('<|channel|>final<|message|>');
    script.body(content);
    script.frame(last ? '<|return|>' : '<|end|>');
  } else {
    const answered = messages.some(
      (later, at) =>
        at > index && later.role === 'assistant' && (later.toolCalls ?? []).length === 0,
    );
    const thought = reasoning === '' ? content : reasoning;
    if (thought !== '' && !answered) {
      writeChannel(script, 'analysis', reasoning === '' ? 'content' : 'reasoning', thought);
    }
    if (reasoning !== '' && content !== '') writeChannel(script, 'commentary', 'content', content);
    script.frame(' to=functions.');
    script.body(call.name, 'call');
    script.frame('<|channel|>commentary json<|message|>');
    script.body(jsonText(argumentsOf(call)), 'call');
    script.frame('<|call|>');
  }
  script.sampled = false;
}

/** A finished message and the header of the next one. */
function writeChannel(
  script: Script,
  channel: string,
  part: 'content' | 'reasoning',
  text: string,
): void {
  script.frame(`<|channel|>${channel}<|message|>`);
  script.body(text, part);
  script.frame(`<|end|>${start}`);
}
