import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { say, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { EnvClient } from './env-client.ts';
import { ServeProcess } from './serve-process.ts';

const taskset = resolve(import.meta.dirname, '../../fixtures/tasksets/loose-rows.ts');
const patience = { timeout: 30_000 };

/** Answers "done"; what says "wait" is held until `release`. */
let held: (() => void)[] = [];
let model: ScriptedModel;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-workers-'));
  await writeFile(
    join(folder, 'env.toml'),
    `[taskset]\nid = ${JSON.stringify(taskset)}\n[serve]\nworkers = 2\n`,
  );
  model = await startScriptedModel({
    script: async ({ messages }) => {
      if (JSON.stringify(messages).includes('wait'))
        await new Promise<void>((done) => held.push(done));
      return say('done');
    },
  });
});

afterAll(async () => {
  release();
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

function release(): void {
  for (const done of held) done();
  held = [];
}

function request(prompt: string): object {
  return {
    task_data: { idx: 0, prompt, answer: 1 },
    client: { type: 'eval', base_url: `${model.url}/v1`, api_key_var: 'VF_TEST_NO_KEY' },
    model: 'scripted',
    sampling: {},
  };
}

async function start() {
  const server = await ServeProcess.start(folder, '@', 'env.toml');
  onTestFinished(() => server[Symbol.asyncDispose]());
  const client = new EnvClient(server.address);
  onTestFinished(() => client[Symbol.dispose]());
  return { server, client };
}

/** Processes that a process started itself. */
function childrenOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test(
  '[serve/workers] play, and a killed one costs no run that had no answer',
  { timeout: 120_000 },
  async () => {
    const { server, client } = await start();
    const many = await Promise.all(
      Array.from({ length: 10 }, () => client.call('run', request('hi'))),
    );
    expect(many.map(({ head }) => head)).toMatchObject(many.map(() => ({ ok: true })));
    expect(await client.call('metrics')).toMatchObject({
      metrics: { finished: 10, workers: 2, workers_lost: 0 },
    });

    const waiting = await Promise.all([
      client.ask('run', request('wait')),
      client.ask('run', request('wait')),
    ]);
    await vi.waitUntil(() => held.length === 2, patience);
    const [victim = 0] = childrenOf(server.pid);
    process.kill(victim, 'SIGKILL');
    await vi.waitUntil(() => held.length === 3, patience);
    release();
    for (const { reply } of waiting) expect(await reply).toMatchObject({ head: { ok: true } });
    await vi.waitUntil(async () => {
      const { metrics } = await client.call('metrics');
      return (metrics as { readonly workers: number }).workers === 2;
    }, patience);
    expect(await client.call('metrics')).toMatchObject({ metrics: { workers_lost: 1, failed: 0 } });

    const stopped = await client.ask('run', request('wait'));
    await vi.waitUntil(() => held.length === 1, patience);
    expect(await client.call('cancel', { request_id: stopped.id })).toMatchObject({
      cancelled: true,
    });
    expect(await stopped.reply).toMatchObject({ success: false });
  },
);

/** @returns what is left of the workers of a server that has one run under way, which is asked for to end */
async function ended(end: (server: ServeProcess) => Promise<unknown>) {
  // The cancelled run of the test before is still held.
  release();
  const { server, client } = await start();
  const { reply } = await client.ask('run', request('wait'));
  await vi.waitUntil(() => held.length > 0, patience);
  const workers = childrenOf(server.pid);
  expect(workers).toHaveLength(2);
  const code = await end(server);
  await vi.waitUntil(() => !workers.some(isAlive), patience);
  release();
  return { code, reply };
}

test(
  '[serve/workers] SIGINT ends them, and answers what was under way',
  { timeout: 120_000 },
  async () => {
    const { code, reply } = await ended((server) => server.stop());
    expect(code).toBe(0);
    expect(await reply).toMatchObject({ success: false });
  },
);

test('[serve/workers] they end when the server is killed', { timeout: 120_000 }, async () => {
  const { code } = await ended((server) => server.kill());
  expect(code).toBeUndefined();
});
