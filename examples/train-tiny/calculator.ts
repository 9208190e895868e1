import { defineTaskset, z } from '@vf/core';

/**
 * Sums with a calculator that answers in the middle: its words are tokens of the sample that the model has not sampled.
 * They come as a user turn, since the model's chat template has no place for tools.
 */
export default defineTaskset({
  data: z.object({ sum: z.string(), answer: z.number().int() }),
  load: () => [{ key: 'calculator', prompt: 'What is 3 + 4?', sum: '3 + 4', answer: 7 }],
  next: ({ task, trace }) =>
    trace.calls.length === 1
      ? {
          prompt: `The calculator says that ${task.sum} is ${task.answer}. So what is ${task.sum}?`,
          session: 'resume',
        }
      : null,
  rewards: {
    right: ({ task, trace }) =>
      Number(trace.lastReply?.match(/-?\d+/g)?.at(-1) === String(task.answer)),
  },
});
