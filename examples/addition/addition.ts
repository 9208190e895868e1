import { defineTaskset, z } from '@vf/core';

export default defineTaskset({
  config: z.object({ count: z.number().int().positive().default(100) }),
  data: z.object({ answer: z.number().int() }),
  *load({ config }) {
    for (let i = 0; i < config.count; i++) yield { prompt: `What is ${i} + ${i}?`, answer: 2 * i };
  },
  rewards: {
    exactMatch: ({ task, trace }) => Number(lastNumber(trace.lastReply) === String(task.answer)),
  },
});

const lastNumber = (reply: string | null) => reply?.match(/-?\d+/g)?.at(-1);
