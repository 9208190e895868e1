import { VfError } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { play, scored } from './play.ts';
import { World, tasksetOf } from './world.ts';

const unscored = tasksetOf({
  rewards: scored(() => {
    throw new VfError('scoring/hook_failed', 'no');
  }),
});

async function kept(world: World, taskset = unscored, signal?: AbortSignal) {
  const role = world.role({ keepFailedBoxes: true });
  const { trace } = await play(world, {
    role,
    taskset,
    ...(signal === undefined ? {} : { signal }),
  });
  return { info: trace?.info['keptBox'], isStopped: world.boxes[0]?.isStopped };
}

test('the box of a rollout without a score stays, and its trace says how to get in', async () => {
  const world = new World();
  world.keep = async (id) => `enter ${id}`;
  expect(await kept(world)).toEqual({ info: 'enter box-1', isStopped: false });
});

test('that of a scored one is freed, and that of a cancelled one', async () => {
  const world = new World();
  world.keep = async (id) => `enter ${id}`;
  const scores = tasksetOf({ rewards: scored(() => 0) });
  expect(await kept(world, scores)).toEqual({ info: undefined, isStopped: true });
  const other = new World();
  other.keep = world.keep;
  const abort = new AbortController();
  const aborting = tasksetOf({
    rewards: scored(() => {
      abort.abort(new VfError('cancelled', 'stopped'));
      return 1;
    }),
  });
  expect(await kept(other, aborting, abort.signal)).toEqual({ info: undefined, isStopped: true });
});

test.each([
  ['its runtime keeps no boxes', null],
  ['the engine is gone', () => Promise.reject(new Error('the engine is gone'))],
])('one that cannot be kept is freed, and why is told: %s', async (_why, keep) => {
  const world = new World();
  world.keep = keep;
  expect(await kept(world)).toEqual({ info: undefined, isStopped: true });
  expect(world.log).toContain('warn: a box was not freed or kept as it should be');
});
