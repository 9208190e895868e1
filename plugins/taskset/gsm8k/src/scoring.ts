import { finalAnswer } from './final-answer.ts';

/** What scoring looks at: the right number, and what the agent said last. */
export interface Scored {
  readonly task: { readonly answer: number };
  readonly trace: { readonly lastReply: string | null };
}

/** 1 when the number that the last reply gives as its result is the right one. */
export function exactMatch({ task, trace }: Scored): number {
  return Number(finalAnswer(trace.lastReply ?? '')?.value === task.answer);
}

/** 1 when the last reply marks its result as asked, right or wrong. */
export function marked({ trace }: Pick<Scored, 'trace'>): number {
  return Number(finalAnswer(trace.lastReply ?? '')?.marked ?? false);
}
