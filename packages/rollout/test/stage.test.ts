import type { Stage } from '@vf/core';
import { makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { StageTimeout, runStage } from '../src/stage.ts';
import { abortAfter } from '../src/time-limit.ts';

const clock = { now: () => 5000, sleep: () => Promise.resolve() };

test.each<[Stage, string]>([
  ['boot', 'runtime/timeout'],
  ['setup', 'taskset/timeout'],
  ['finalize', 'taskset/timeout'],
  ['scoring', 'scoring/timeout'],
])('a %s that never ends is %s, and its work is told', async (stage, code) => {
  const trace = makeTrace();
  const told = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const staged = runStage(
    stage,
    { trace, clock, signal, limitMs: 10, code: 'internal/unexpected' },
    (stageSignal) => {
      stageSignal.addEventListener('abort', () => told.resolve());
      return new Promise<never>(() => undefined);
    },
  );
  await expect(staged).rejects.toMatchObject({ code, hint: `--timeout.${stage} gives it longer` });
  await told.promise;
  expect(trace.timing[stage]).toEqual({ start: 5, end: 5 });
});

test('an agent that never ends is stopped and told apart: it is scored', async () => {
  const { signal } = new AbortController();
  const staged = runStage(
    'agent',
    { trace: makeTrace(), clock, signal, limitMs: 10, code: 'harness/failed' },
    () => new Promise<never>(() => undefined),
  );
  await expect(staged).rejects.toBeInstanceOf(StageTimeout);
});

test.each([2 ** 31, 1e300])('a limit of %d ms is no reason to end at once', async (limitMs) => {
  const { signal } = new AbortController();
  const staged = runStage(
    'agent',
    { trace: makeTrace(), clock, signal, limitMs, code: 'harness/failed' },
    () => new Promise((done) => setTimeout(done, 20, 'done')),
  );
  await expect(staged).resolves.toBe('done');
});

test.each([1500.5, 2 ** 31, 2 ** 32, 1e300])('a signal of %d ms is made and waits', async (ms) => {
  const limit = abortAfter(ms);
  await new Promise((done) => setTimeout(done, 20));
  expect(limit.aborted).toBe(false);
});
