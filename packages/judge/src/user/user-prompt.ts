import type { Message } from '@vf/core';
import { fence, fenceRule } from '../prompt/sections.ts';

/** What the user said, what the agent answered, and what the user said then ('' before it is known). */
export interface SpokenTurn {
  readonly said: string;
  readonly reply: string | null;
  readonly next: string;
}

/** The question to a simulated user: who it is, and the conversation so far between marks. */
export function userPrompt(
  person: string,
  turns: readonly SpokenTurn[],
  schema: object,
): readonly Message[] {
  const sections = turns.flatMap(({ said, reply }, i) => [
    [`you-${i + 1}`, said] as const,
    [`assistant-${i + 1}`, reply] as const,
  ]);
  const { text, boundary } = fence(Object.fromEntries(sections));
  return [
    {
      role: 'system',
      content: `You play a person who talks with an assistant. Stay in your part: write what this person would write next, in their own words, one message at a time, and do not do the assistant's work.\n\n${person}\n\n${fenceRule(boundary)}`,
    },
    {
      role: 'user',
      content: `The conversation so far:\n\n${text}\n\nAnswer with one JSON object and nothing else: your next message, and whether you are done (then the message is not sent). It obeys this JSON Schema:\n${JSON.stringify(schema)}`,
    },
  ];
}
