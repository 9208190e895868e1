import { defineTaskset, z } from '@vf/core';
import { readProblems } from './problems.ts';
import { exactMatch, marked } from './scoring.ts';

const instruction =
  'Reason step by step. End with a line "#### <answer>", where <answer> is a plain number.';

/** GSM8K's test split: 1,319 grade-school word problems, each with one number as its answer. */
export default defineTaskset({
  config: z.object({ instruction: z.string().default(instruction) }),
  data: z.object({ answer: z.number(), solution: z.string() }),
  async *load({ config, signal }) {
    for (const { question, ...problem } of await readProblems(signal)) {
      yield { ...problem, prompt: `${question}\n\n${config.instruction}`.trimEnd() };
    }
  },
  validate: ({ task }) => ({ reply: task.solution }),
  rewards: { exactMatch },
  metrics: { marked },
});
