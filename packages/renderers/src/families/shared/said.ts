import type { AssistantMessage } from '@vf/core';
import { stripLeadingLines, stripTrailingLines } from './text.ts';

/** What an assistant's message says, as templates take it apart. */
export interface Said {
  readonly reasoning: string;
  readonly content: string;
}

/** Reasoning from its own field, else from a `<think>` block in the content, as most templates do. */
export function saidBy(message: AssistantMessage): Said {
  const content = message.content ?? '';
  if (message.reasoning !== undefined && message.reasoning !== null) {
    return { reasoning: message.reasoning, content };
  }
  const sections = content.split('</think>');
  if (sections.length === 1) return { reasoning: '', content };
  const before = stripTrailingLines(sections[0] ?? '').split('<think>');
  return {
    reasoning: stripLeadingLines(before.at(-1) ?? ''),
    content: stripLeadingLines(sections.at(-1) ?? ''),
  };
}
