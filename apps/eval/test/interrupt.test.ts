import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerSums, callTool, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, startVf, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

/** What the agent runs in its shell; told from other processes by its number. */
const marker = `${process.pid}31415`;
let model: ScriptedModel;
const cwd = emptyFolder();
const boxes = emptyFolder();

beforeAll(async () => {
  model = await startScriptedModel({
    script: (request) =>
      request.turn === 0
        ? callTool('bash', { command: `echo started; sleep ${marker}` })
        : answerSums()(request),
  });
});
afterAll(() => model.close());

const isRunning = (): boolean =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`sleep ${marker}`);

/** Starts a run of one rollout and waits until its shell sleeps. */
async function startSleeping(name: string) {
  const what = ['eval', addition, '-n', '1', '--run', name, '--harness', 'bash', '-m', 'scripted'];
  const where = ['--base-url', `${model.url}/v1`, '--runtime.dir', boxes];
  const running = startVf([...what, ...where], { cwd });
  await vi.waitFor(() => expect(isRunning()).toBe(true), { timeout: 60_000, interval: 50 });
  return running;
}

test('one SIGINT leaves no process, and the turns so far can be read', async () => {
  const running = await startSleeping('once');
  running.process.kill('SIGINT');
  expect((await running.done).code).toBe(130);
  expect(isRunning()).toBe(false);
});

test('two SIGINTs: out at once, no process left', async () => {
  const running = await startSleeping('twice');
  running.process.kill('SIGINT');
  await running.seen('SIGINT: cancelling');
  await sleep(300);
  running.process.kill('SIGINT');
  const { code, stderr } = await running.done;
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /^vf: .*what is complete is on disk\n {2}fix: vf resume twice {3}\[cancelled\]$/m,
  );
  expect(isRunning()).toBe(false);
});

test('a signal that comes several times at once is one', async () => {
  const running = await startSleeping('at-once');
  // Signals that the process has not taken yet are merged by the system, so that one more would not be enough.
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let sent = 0; sent < 5; sent++) {
    running.process.kill('SIGTERM');
    Atomics.wait(pause, 0, 0, 1);
  }
  const { code, stderr } = await running.done;
  expect(code).toBe(143);
  expect(stderr).toContain('vf: interrupted after 0 of 1');
  expect(isRunning()).toBe(false);
});

test('after SIGKILL the turns are in the journal, and cleanup finds what was left', async () => {
  const running = await startSleeping('killed');
  const key = (await vf(['tasks', addition, '-n', '1', '--json'], { cwd })).stdout;
  const { key: task } = JSON.parse(key) as { key: string };
  await vi.waitFor(
    async () => {
      const { stdout } = await vf(['show', 'killed', `${task}:1`], { cwd });
      expect(stdout).toContain('under way');
    },
    { timeout: 60_000, interval: 200 },
  );
  running.process.kill('SIGKILL');
  await running.done;

  const shown = await vf(['show', 'killed', `${task}:1`], { cwd });
  expect(shown.stdout).toContain('cut off; vf resume killed plays it again   1 turns so far');
  expect(shown.stdout).toMatch(/assistant {2}turn 1 {2}call 1/);
  expect(shown.stdout).toContain('echo started; sleep');

  const found = await vf(['cleanup', '--dry-run'], { cwd });
  expect(found.stdout).toMatch(/subprocess/);
  expect(found.stdout).toContain(`process ${running.process.pid} on`);
  expect(found.stdout).toMatch(/ run killed \(\w+\), rollout /);
  expect(isRunning()).toBe(true);
  const cleaned = await vf(['cleanup'], { cwd });
  expect(cleaned.code).toBe(0);
  await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: 20_000, interval: 50 });
});
