import type { Runtime } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { play, scored } from './play.ts';
import { World, tasksetOf } from './world.ts';

/** A world whose boxes lose a service once `isWhole` says so. */
function worldOf(isWhole: () => boolean): World {
  const world = new World();
  const { runtime: plain } = world;
  const runtime: Runtime = {
    ...plain,
    create: async (...given) => {
      const box = await plain.create(...given);
      const intact = async (): Promise<void> => {
        if (!isWhole()) throw new VfError('runtime/box_gone', 'service db ended', gone);
      };
      return Object.assign(box, { intact });
    },
  };
  return Object.assign(world, { runtime });
}
const gone = { retryable: false };

test('a box that lost a service under the agent is not scored', async () => {
  let scorings = 0;
  const taskset = tasksetOf({ rewards: scored(() => ++scorings) });
  const { trace } = await play(
    worldOf(() => false),
    { taskset },
  );
  expect(trace).toMatchObject({ ok: false, reward: null });
  expect(trace?.errors).toMatchObject([{ type: 'runtime/box_gone', phase: 'finalize' }]);
  expect(scorings).toBe(0);
});

test('a score taken while a service was lost is none', async () => {
  let isWhole = true;
  const rewards = scored(() => {
    isWhole = false;
    return 0;
  });
  const { trace } = await play(
    worldOf(() => isWhole),
    { taskset: tasksetOf({ rewards }) },
  );
  expect(trace).toMatchObject({ ok: false, reward: null });
  expect(trace?.errors).toMatchObject([{ type: 'runtime/box_gone', phase: 'scoring' }]);
});

test('a whole box is scored', async () => {
  const { trace } = await play(worldOf(() => true));
  expect(trace).toMatchObject({ ok: true, reward: 1 });
});
