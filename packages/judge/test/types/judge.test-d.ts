import { defineTaskset, z } from '@vf/core';
import type { Taskset } from '@vf/core';
import { expectTypeOf } from 'vitest';
import { judge, simulatedUser } from '../../src/index.ts';

const rubric = judge({ name: 'a', rubric: 'x' });
const criteria = judge({ name: 'b', criteria: { short: 'x', long: { text: 'y', weight: -1 } } });
const own = judge({
  name: 'c',
  rubric: 'x',
  verdict: z.object({ kind: z.enum(['poem', 'prose']) }),
  score: ({ kind }) => {
    expectTypeOf(kind).toEqualTypeOf<'poem' | 'prose'>();
    return Number(kind === 'poem');
  },
});
const user = simulatedUser({ name: 'u', persona: 'p', goal: 'g' });

/** Judges and users are hooks of any taskset, and take nothing from what it infers. */
const taskset = defineTaskset({
  data: z.object({ answer: z.number() }),
  state: () => ({ hits: 0 }),
  load: () => [{ prompt: 'x', answer: 1 }],
  next: user,
  judges: [own, rubric.judges[0]],
  rewards: {
    rubric,
    weighed: { score: criteria, weight: 2 },
    more: async (ctx) => {
      expectTypeOf(ctx.task.answer).toEqualTypeOf<number>();
      expectTypeOf(ctx.state.hits).toEqualTypeOf<number>();
      const { kind } = await own.verdict(ctx);
      expectTypeOf(kind).toEqualTypeOf<'poem' | 'prose'>();
      return kind === 'poem' ? 1 : 0;
    },
  },
  metrics: { rubric },
});
expectTypeOf(taskset).toExtend<Taskset<{ answer: number }, { answer: number }>>();

// @ts-expect-error a judge has a name
judge({ rubric: 'x' });
// @ts-expect-error a verdict of one's own needs a score
judge({ name: 'x', rubric: 'x', verdict: z.object({}) });
