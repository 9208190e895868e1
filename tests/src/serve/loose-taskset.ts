import { defineTaskset, z } from '@vf/core';

/** Takes rows with anything in them. The reward is 1 when the model said "done" and the row's environment came along. */
export default defineTaskset({
  data: z.looseObject({ answer: z.number(), token: z.string().optional() }),
  *load() {
    const env = { TOKEN: 'kept here' };
    yield { prompt: 'one', systemPrompt: 'Be brief.', answer: 1, token: env.TOKEN, env };
    yield {
      key: 'two',
      prompt: [{ role: 'user', content: 'two' }],
      answer: 2,
      resources: { cpu: 1 },
    };
  },
  rewards: {
    done: ({ task, trace }) => {
      const token = 'token' in task ? task.token : undefined;
      return Number(trace.lastReply === 'done' && task.env?.['TOKEN'] === token);
    },
  },
});
