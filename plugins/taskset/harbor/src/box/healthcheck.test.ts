import { expect, test } from 'vitest';
import { ScriptedBox } from '../../test/scripted-box.ts';
import { waitUntilHealthy } from './healthcheck.ts';

const check = {
  command: 'curl -f localhost',
  interval_sec: 5,
  timeout_sec: 30,
  start_period_sec: 0,
  start_interval_sec: 1,
  retries: 3,
};

/** Waits with a clock of its own. @returns what it slept, in seconds */
async function waits(exits: readonly number[], given: Partial<typeof check> = {}) {
  let clock = 0;
  const slept: number[] = [];
  const left = [...exits];
  const box = new ScriptedBox(() => ({ exitCode: left.shift() ?? 1, stderr: 'refused' }));
  await waitUntilHealthy(
    box,
    { ...check, ...given },
    {
      user: 'root',
      signal: new AbortController().signal,
      now: () => clock,
      sleep: async (ms) => {
        clock += ms;
        slept.push(ms / 1000);
      },
    },
  );
  expect(box.runs[0]?.options).toMatchObject({ user: 'root', timeoutMs: 30_000 });
  return slept;
}

test('healthy at once, or after some tries', async () => {
  expect(await waits([0])).toEqual([]);
  expect(await waits([1, 1, 0])).toEqual([5, 5]);
});

test('failures within the start period do not count', async () => {
  expect(await waits([1, 1, 1, 1, 1, 0], { start_period_sec: 3 })).toEqual([1, 1, 1, 5, 5]);
});

test('too many in a row after it end the wait', async () => {
  await expect(waits([1, 1, 1])).rejects.toMatchObject({
    code: 'taskset/setup_failed',
    message: expect.stringContaining('failed 3 times in a row: curl -f localhost exited 1'),
  });
  await expect(waits([1, 1, 1, 1], { start_period_sec: 2, retries: 2 })).rejects.toThrow('2 times');
});
