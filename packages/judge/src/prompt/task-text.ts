import { textOf } from '@vf/core/trace';
import type { AnyHook } from '@vf/core';

/** What the agent was asked: what setup told it, else the row's own prompt, as text. */
export function taskText({ task, trace }: Pick<AnyHook, 'task' | 'trace'>): string {
  const prompt = trace.effectiveTask?.prompt ?? task.prompt ?? '';
  if (typeof prompt === 'string') return prompt;
  return prompt.map(({ role, content }) => `${role}: ${textOf(content)}`).join('\n\n');
}
