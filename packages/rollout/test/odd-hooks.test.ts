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
