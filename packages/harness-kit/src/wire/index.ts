import { chatCompletions } from './chat-completions.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import type { Wire } from './wire.ts';

/** Dialects in which a loop in our own process can ask, best first. */
export const hostDialects = ['chat-completions', 'responses', 'messages'] as const;
export type HostDialect = (typeof hostDialects)[number];

export const wires: Readonly<Record<HostDialect, Wire>> = {
  'chat-completions': chatCompletions,
  responses,
  messages,
};
