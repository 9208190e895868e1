import { defineTaskset, z } from '@vf/core';

export default defineTaskset({
  config: z.strictObject({
    count: z.number().int().positive().default(20).describe('how many sums'),
  }),
  data: z.object({ answer: z.number().int() }),
  *load({ config }) {
    for (let i = 1; i <= config.count; i++) {
      yield { key: `sum-${i}`, prompt: `What is ${i} + ${i * 7}?`, answer: i * 8 };
    }
  },
  // What a perfect agent would say: `vf validate` holds it against the rewards.
  validate: ({ task }) => ({ reply: String(task.answer) }),
  rewards: {
    exactMatch: ({ task, trace }) => {
      const last = trace.lastReply?.match(/-?\d+/g)?.at(-1);
      return Number(last === String(task.answer));
    },
  },
});
