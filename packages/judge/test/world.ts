import type { AnyHook, SideModel, SideQuestion } from '@vf/core';
import { makeTrace } from '@vf/testkit';

/** What a side model was asked. */
export interface Heard extends SideQuestion {
  readonly name: string;
}

/** A hook's context in which every question is answered by `answer`, once it passed its check. */
export function ctxOf(
  answer: (question: Heard, nth: number) => string,
  given: {
    readonly task?: object;
    readonly trace?: ReturnType<typeof makeTrace>;
    readonly prompt?: string;
  } = {},
) {
  const heard: Heard[] = [];
  const sideModel = (declared: SideModel): ReturnType<AnyHook['sideModel']> => ({
    prompt: given.prompt ?? declared.prompt,
    model: declared.model ?? 'm',
    ask: async (question) => {
      const one = { ...question, name: declared.name };
      heard.push(one);
      const text = answer(one, heard.length);
      const problem = question.check(text);
      if (problem !== null) throw new Error(problem);
      return text;
    },
  });
  const trace = given.trace ?? makeTrace();
  const task = { key: 'k', prompt: 'Write a poem.', ...given.task };
  return { ctx: { task, trace, sideModel } as AnyHook, trace, heard };
}

/** All that was asked, as one text. */
export function textOfQuestion({ messages }: SideQuestion): string {
  return messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n');
}
