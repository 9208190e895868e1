import type { AnyHook } from '@vf/core';
import { makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { giveReward } from '../src/given-rewards.ts';
import { rescoreTrace } from '../src/index.ts';
import { noSideModels, taskOf, tasksetOf } from './world.ts';

const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const around = { log, signal: new AbortController().signal, sideModels: noSideModels };

function rewardOf(score: (ctx: AnyHook) => number | null | Promise<number | null>) {
  return tasksetOf({ rewards: [{ name: 'r', weight: 2, priority: 0, score }] });
}

test('a mended scorer gives the trace its score, and the old error is gone', async () => {
  const trace = makeTrace();
  trace.ok = false;
  trace.stopCondition = 'scoring_error';
  trace.rewards['r'] = null;
  trace.errors.push({ type: 'scoring/box_gone', message: 'fell over', phase: 'scoring' });
  expect(
    await rescoreTrace(
      rewardOf(() => 0.5),
      taskOf(),
      trace,
      around,
    ),
  ).toBe(true);
  expect(trace).toMatchObject({
    ok: true,
    reward: 1,
    errors: [],
    stopCondition: 'agent_completed',
  });
});

test.each<[string, (ctx: AnyHook) => Promise<number> | number]>([
  ['the box', async ({ runtime }) => (await runtime.read('x')).length],
  ['the state', ({ state }) => (state as { hits: number }).hits],
  ['a second box', async ({ openBox }) => ((await openBox()).id === '' ? 0 : 1)],
])('a score that needs %s is null and says why, never 0', async (_what, score) => {
  const trace = makeTrace();
  await rescoreTrace(rewardOf(score), taskOf(), trace, around);
  expect(trace.rewards).toEqual({ r: null });
  expect(trace.reward).toBeNull();
  expect(trace.errors).toMatchObject([
    { type: 'scoring/box_gone', message: expect.stringContaining('is gone') },
  ]);
});

test('what an environment gave by itself stays', async () => {
  const trace = makeTrace();
  giveReward(trace, 'judged', 1);
  await rescoreTrace(
    rewardOf(() => 0),
    taskOf(),
    trace,
    around,
  );
  expect(trace.rewards).toEqual({ judged: { score: 1, weight: 1 }, r: { score: 0, weight: 2 } });
});

test('a rollout whose agent never came to an end is left as it is', async () => {
  const trace = makeTrace();
  trace.ok = false;
  trace.errors.push({ type: 'provider/overloaded', message: 'busy', phase: 'agent' });
  expect(
    await rescoreTrace(
      rewardOf(() => 1),
      taskOf(),
      trace,
      around,
    ),
  ).toBe(false);
  expect(trace.reward).toBeNull();
});

test('errors of tries before the last do not stand in the way', async () => {
  const trace = makeTrace();
  trace.errors.push({ type: 'runtime/boot_failed', message: 'no', phase: 'boot', attempt: 1 });
  expect(
    await rescoreTrace(
      rewardOf(() => 1),
      taskOf(),
      trace,
      around,
    ),
  ).toBe(true);
  expect(trace.errors).toHaveLength(1);
});
