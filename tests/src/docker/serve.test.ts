import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hang, startScriptedModel } from '@vf/testkit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EnvClient } from '../serve/env-client.ts';
import { vfCommand } from '../serve/serve-process.ts';
import { leftBehind, noEngine } from './engine.ts';

const tests = resolve(import.meta.dirname, '../..');
const taskset = resolve(tests, 'fixtures/tasksets/loose-rows.ts');
const docker = ['--runtime', 'docker', '--runtime.image', 'busybox:latest', '--harness', 'bash'];

/** So many that they are not freed before the second signal. */
const boxes = 16;

/** Processes that a process started itself. */
function childrenOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

describe.skipIf(noEngine)('vf serve with boxes in Docker', { timeout: 120_000 }, () => {
  test.each([
    { workers: 1, told: /^vf: removing \d+ boxes …$/m },
    { workers: 2, told: /^vf: boxes may be left: vf cleanup, or the next run, removes them$/m },
  ])('a second SIGINT frees them at once, and says so: $workers workers', async (given) => {
    await using model = await startScriptedModel({ script: () => hang() });
    const [node = '', ...rest] = vfCommand;
    const args = ['serve', taskset, ...docker, '--bind', 'tcp://127.0.0.1:0', '--json'];
    const more = ['--workers', String(given.workers), '--shutdown-grace', '60'];
    const child = spawn(node, [...rest, ...args, ...more], { cwd: tests });
    onTestFinished(() => void child.kill('SIGKILL'));
    let told = '';
    child.stderr.on('data', (bytes: Buffer) => (told += bytes.toString()));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { address } = JSON.parse(line.toString()) as { readonly address: string };
    using client = new EnvClient(address);
    for (let idx = 0; idx < boxes; idx++)
      await client.ask('run', {
        task_data: { idx, prompt: 'wait', answer: 1 },
        client: { type: 'eval', base_url: `${model.url}/v1`, api_key_var: 'VF_TEST_NO_KEY' },
        model: 'scripted',
        sampling: {},
      });
    await vi.waitUntil(() => model.turns.length === boxes, { timeout: 60_000 });
    const makers = [child.pid ?? 0, ...childrenOf(child.pid ?? 0)];
    const left = async () => (await Promise.all(makers.map((pid) => leftBehind(pid)))).flat();
    // A box and its relay for each.
    expect(await left()).toHaveLength(2 * boxes);
    const closed = once(child, 'close');
    child.kill('SIGINT');
    await vi.waitUntil(() => told.includes('again to stop hard'), { interval: 10 });
    // Signals within 200 ms are one.
    await sleep(210);
    child.kill('SIGINT');
    await closed;
    expect(told).toMatch(given.told);
    expect(told).not.toMatch(/could not be removed|boxes are left/);
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  });
});
