import type { Message } from '@vf/core';
import { textOfMessage } from '../../content.ts';
import type { Conversation } from '../../family.ts';
import type { Script } from '../../script.ts';
import { begin } from './marks.ts';

/** All system messages, gathered in front without a header. */
export function writeSystem(script: Script, { messages }: Conversation): number {
  script.frame(begin);
  let first = true;
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'system') continue;
    script.message = index;
    if (!first) script.frame('\n\n');
    script.body(textOfMessage(message));
    first = false;
  }
  return 0;
}

/** A later system message would have to be printed in front of what was sent. */
export function bridgesWithoutSystem({ messages, from }: Conversation): boolean {
  for (let at = from; at < messages.length; at++) if (messages[at]?.role === 'system') return false;
  return true;
}

/** Who speaks next to this message, system messages aside; undefined at either end. */
export function speakerBeside(
  messages: readonly Message[],
  index: number,
  step: -1 | 1,
): Message['role'] | undefined {
  for (let at = index + step; at >= 0 && at < messages.length; at += step) {
    const role = messages[at]?.role;
    if (role !== 'system') return role;
  }
  return undefined;
}
