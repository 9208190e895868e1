import type { ExtraUsage, SideModel, SideQuestion } from '@vf/core';
import { makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { rescoreTrace } from '../src/index.ts';
import type { SideModels } from '../src/plan.ts';
import { play } from './play.ts';
import { World, taskOf, tasksetOf } from './world.ts';

const judge: SideModel = { kind: 'judge', name: 'style', model: 'j', prompt: 'Is it short?' };
const question: SideQuestion = { messages: [], check: () => null, cached: true };
const paid: ExtraUsage = { inputTokens: 7, outputTokens: 3, cost: 0.25, by: 'style', model: 'j' };

/** Answers everything, for a price. */
function answering(usage: ExtraUsage = paid): SideModels {
  return {
    find: ({ prompt }) => ({ prompt, model: 'j' }),
    ask: async (_declared, _question, { spent }) => {
      spent(usage);
      return 'yes';
    },
  };
}

test('what a judge takes stands on the trace that it scored', async () => {
  const world = new World();
  const taskset = tasksetOf({
    rewards: [
      {
        name: 'style',
        weight: 1,
        priority: 0,
        score: async ({ sideModel }) => {
          const channel = sideModel(judge);
          return Number((await channel.ask(question)) === 'yes' && channel.prompt === judge.prompt);
        },
      },
    ],
  });
  const services = world.services({ sideModels: answering() });
  const { trace } = await play(world, { taskset, services });
  expect(trace).toMatchObject({ reward: 1, extraUsage: [paid] });

  const stored = makeTrace();
  const log = world.services().log('');
  const { signal } = new AbortController();
  await rescoreTrace(taskset, taskOf(), stored, { log, signal, sideModels: answering() });
  expect(stored).toMatchObject({ reward: 1, extraUsage: [paid] });
});

test('what a simulated user takes counts for the rollout’s cost limit', async () => {
  const world = new World();
  const taskset = tasksetOf({
    spec: {
      load: () => [],
      next: async ({ sideModel, trace }) => {
        const prompt = await sideModel({ ...judge, kind: 'user' }).ask(question);
        return trace.turns > 5 ? null : { prompt, session: 'resume' };
      },
    },
  });
  // A turn of the agent is 0.5, one of the user 0.25: the limit is there after the second of the user.
  const { trace } = await play(world, {
    taskset,
    role: world.role({ limits: { maxCost: 1.5 } }),
    services: world.services({ sideModels: answering() }),
  });
  expect(trace).toMatchObject({ stopCondition: 'max_cost', turns: 2 });
  expect(trace?.extraUsage).toHaveLength(2);
});
