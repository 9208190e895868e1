import { defineTaskset, z } from '@vf/core';
import { sumIn } from './sum.ts';

export default defineTaskset({
  config: z.object({ digits: z.array(z.number().int().positive()).default([1, 2, 3]) }),
  data: z.object({ digits: z.number() }),
  load: ({ config }) =>
    config.digits.map((digits) => ({
      key: `${digits}-digits`,
      prompt: `Make up a sum of two numbers of ${digits} digits that is hard to get right. Write it as "a + b".`,
      digits,
    })),
  rewards: {
    wellFormed: {
      weight: 0.1,
      score: ({ task, trace }) =>
        Number(
          sumIn(trace.lastReply)
            ?.text.split(' + ')
            .every((n) => n.length === task.digits) ?? false,
        ),
    },
  },
});
