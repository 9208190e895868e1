import type { Message } from '@vf/core';
import { fence, fenceRule } from './prompt/sections.ts';
import type { Sections } from './prompt/sections.ts';

/** The question to a judge: its rubric, what is judged between marks, and the form of the verdict. */
export function judgePrompt(task: string, sections: Sections, schema: object): readonly Message[] {
  const { text, boundary } = fence(sections);
  return [
    {
      role: 'system',
      content: `You judge the work of others, strictly and fairly, by this rubric alone:\n\n${task}\n\n${fenceRule(boundary)}`,
    },
    {
      role: 'user',
      content: `${text}\n\nAnswer with one JSON object and nothing else. It obeys this JSON Schema:\n${JSON.stringify(schema)}`,
    },
  ];
}
