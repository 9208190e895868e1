import type { Message } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { textOf } from '@vf/core/trace';

/**
 * A prompt for an agent that takes text alone.
 * @throws VfError misfit/plan for a list in which not only the user speaks
 */
export function textPrompt(prompt: string | readonly Message[]): string {
  if (typeof prompt === 'string') return prompt;
  if (prompt.every(({ role }) => role === 'user')) {
    return prompt.map(({ content }) => textOf(content)).join('\n\n');
  }
  const roles = [...new Set(prompt.map(({ role }) => role))].join(', ');
  throw new VfError('misfit/plan', `this agent takes a prompt as text, not messages of ${roles}`, {
    hint: 'give the task a text prompt, or use a harness that takes messages: null, bash',
  });
}
