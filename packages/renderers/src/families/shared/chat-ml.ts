import type { Message } from '@vf/core';
import type { Script } from '../../script.ts';

export const imStart = '<|im_start|>';
export const imEnd = '<|im_end|>';

/** A turn of ChatML around one text. */
export function chatMlTurn(script: Script, role: string, text: string): void {
  script.frame(`${imStart}${role}\n`);
  script.body(text);
  script.frame(`${imEnd}\n`);
}

/** A reply: the header, then what the model writes, its end token included. */
export function chatMlReply(script: Script, write: () => void): void {
  script.frame(`${imStart}assistant\n`);
  script.sampled = true;
  write();
  script.frame(imEnd);
  script.sampled = false;
  script.frame('\n');
}

/** Is the message before or after this one a tool result, too? */
export function besideTool(messages: readonly Message[], index: number, step: -1 | 1): boolean {
  return messages[index + step]?.role === 'tool';
}
