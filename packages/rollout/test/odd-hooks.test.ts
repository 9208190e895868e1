import { expect, test } from 'vitest';
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

test('an endless error message is cut', async () => {
  const world = new World();
  const taskset = tasksetOf({
    rewards: scored(() => {
      throw new Error('x'.repeat(5_000_000));
    }),
  });
  const { trace } = await play(world, { taskset });
  expect(trace?.errors[0]?.message.length).toBeLessThan(20_000);
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
