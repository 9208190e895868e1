import type { AnyHook, AssistantMessage, Intercept } from '@vf/core';
import { expect, test } from 'vitest';
import type { TasksetPlan } from '../src/plan.ts';
import { play } from './play.ts';
import { World, tasksetOf } from './world.ts';

const scored = (score: () => number | null) => [{ name: 'r', weight: 1, priority: 0, score }];

test.each([{ prompt: 42 }, { systemPrompt: [] }, 'a prompt'])(
  'a setup that gives %j fails its rollout, and no more',
  async (result) => {
    const world = new World();
    const taskset = tasksetOf({ spec: { load: () => [], setup: () => result as object } });
    const { trace } = await play(world, { taskset });
    expect(trace?.errors).toMatchObject([{ type: 'taskset/setup_failed', phase: 'setup' }]);
  },
);

test('an endless error message is cut, of every reward that fails', async () => {
  const world = new World();
  const fails = (name: string) => ({
    name,
    weight: 1,
    priority: 0,
    score: () => {
      throw new Error('x'.repeat(5_000_000));
    },
  });
  const taskset = tasksetOf({ rewards: [fails('first'), fails('second')] });
  const { trace } = await play(world, { taskset });
  expect(trace?.errors).toHaveLength(2);
  for (const { message, stack = '' } of trace?.errors ?? []) {
    expect(message.length).toBeLessThan(20_000);
    expect(stack.length).toBeLessThan(40_000);
    expect(stack).toMatch(/odd-hooks\.test\.ts/);
  }
});

test('rewards that all do not apply are no score', async () => {
  const { trace } = await play(new World(), {
    taskset: tasksetOf({ rewards: scored(() => null) }),
  });
  expect(trace).toMatchObject({ ok: true, reward: null });
});

const oddErrors: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['an object without a prototype', Object.create(null)],
  ['an error whose message is no text', Object.assign(new Error(), { message: { a: 1 } })],
  ['an error whose stack is no text', Object.assign(new Error('x'), { stack: 5 })],
];

test.each(oddErrors)(
  'a scorer that throws %s fails its rollout, and no more',
  async (_what, thrown) => {
    const taskset = tasksetOf({
      rewards: scored(() => {
        throw thrown;
      }),
    });
    const { trace } = await play(new World(), { taskset });
    expect(trace?.errors).toMatchObject([
      { type: 'scoring/hook_failed', message: expect.any(String) as string },
    ]);
    const [error] = trace?.errors ?? [];
    expect(['string', 'undefined']).toContain(typeof error?.stack);
  },
);

const broken = (): never => {
  throw new Error('fell over');
};

test.each([
  ['a stop', { stops: [{ name: 'enough', stops: broken }] }, 'stop enough'],
  ['a rewrite of prompts', { intercept: { request: broken } }, 'intercept.request'],
  ['a rewrite of replies', { intercept: { response: broken } }, 'intercept.response'],
])('%s that throws is a fault of the taskset, not of the agent', async (_what, hooks, name) => {
  const world = new World();
  const role = world.role({}, async (prompt) => {
    const reply: AssistantMessage = { role: 'assistant', content: 'a' };
    const call = async (): Promise<void> => {
      const { session } = world;
      await session?.rewritePrompt?.(
        { role: 'user', content: prompt },
        new AbortController().signal,
      );
      await world.call(prompt);
      await session?.rewriteReply?.(reply, new AbortController().signal);
    };
    return await call().then(
      () => ({ status: 'completed' }),
      () => ({ status: 'failed' }),
    );
  });
  const { stops = [], intercept } = hooks as Partial<Pick<TasksetPlan, 'stops'>> & {
    readonly intercept?: Intercept<AnyHook>;
  };
  const spec = { load: () => [], ...(intercept === undefined ? {} : { intercept }) };
  const taskset = tasksetOf({ rewards: scored(() => 0), stops, spec });
  const { trace } = await play(world, { role, taskset });
  expect(trace?.reward).toBeNull();
  expect(trace?.errors).toMatchObject([
    { type: 'taskset/hook_failed', message: `${name}: fell over`, phase: 'agent' },
  ]);
});
