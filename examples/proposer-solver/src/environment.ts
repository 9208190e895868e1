import { defineEnvironment, z } from '@vf/core';
import { sumIn } from './sum.ts';

/** The proposer plays the run's task; what it makes up is a task for the solver. */
export default defineEnvironment({
  config: z.object({
    tries: z.number().int().positive().default(1).describe('attempts of the solver at each sum'),
  }),
  roles: {
    proposer: { summary: 'makes up a sum; is paid when the solver fails at it' },
    solver: { summary: 'does the sum' },
  },
  async play({ task, agents, config, reward }) {
    const proposed = await agents.proposer.run(task);
    const sum = sumIn(proposed.trace.lastReply);
    // The taskset has given the proposer its 0 for that.
    if (sum === null) return;
    const prompt = `What is ${sum.text}? Answer with the number.`;
    const tries = await Promise.all(
      Array.from({ length: config.tries }, () => agents.solver.run({ prompt })),
    );
    // A solver that never had a chance says nothing about the sum.
    if (tries.some(({ trace }) => !trace.ok)) return;
    const scores = tries.map(({ trace }) => Number(lastNumber(trace.lastReply) === sum.value));
    tries.forEach((solved, i) => reward(solved, 'right', scores[i] ?? null));
    reward(proposed, 'stumped', 1 - scores.reduce((all, one) => all + one, 0) / scores.length);
  },
});

function lastNumber(reply: string | null): number {
  return Number(reply?.match(/-?\d+/g)?.at(-1));
}
