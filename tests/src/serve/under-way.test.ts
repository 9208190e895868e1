import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { callTool, say, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { vfPlace } from '../cli/vf.ts';
import type { VfPlace } from '../cli/vf.ts';
import { processesWith } from '../run/processes.ts';
import { EnvClient } from './env-client.ts';

const taskset = resolve(import.meta.dirname, '../../fixtures/tasksets/one-sum.ts');
const patience = { timeout: 60_000 };

interface Served {
  readonly pid: number;
  readonly address: string;
}

async function serve(place: VfPlace, ...args: readonly string[]): Promise<Served> {
  const { promise: address, resolve: told } = Promise.withResolvers<string>();
  const all = ['serve', taskset, '--bind', 'tcp://127.0.0.1:0', ...args];
  const child = place.start(all, (event) => told(String(event['address'])));
  onTestFinished(async () => {
    const gone = once(child, 'close');
    child.kill('SIGINT');
    await gone;
  });
  return { pid: child.pid ?? 0, address: await address };
}

function requestTo(model: ScriptedModel): object {
  return {
    task_data: { idx: 0, prompt: 'go', answer: 1 },
    client: { type: 'eval', base_url: `${model.url}/v1`, api_key_var: 'VF_TEST_NO_KEY' },
    model: 'scripted',
    sampling: {},
  };
}

function clientOf({ address }: Served): EnvClient {
  const client = new EnvClient(address);
  onTestFinished(() => client[Symbol.dispose]());
  return client;
}

test(
  '[serve/under-way] health is answered while the model holds 200 runs, and all of them end well',
  { timeout: 120_000 },
  async () => {
    const count = 200;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const script = async () => {
      await released;
      return say('done');
    };
    await using model = await startScriptedModel({ script });
    const place = await vfPlace();
    const served = await serve(place, '--harness', 'null', '--max-concurrent', String(count));
    const client = clientOf(served);
    const runs = await Promise.all(
      Array.from({ length: count }, () => client.ask('run', requestTo(model))),
    );
    await vi.waitUntil(() => model.turns.length === count, patience);
    expect(await client.call('health')).toEqual({ success: true, error: null });
    expect(await client.call('metrics')).toMatchObject({
      metrics: { running: count, finished: 0 },
    });
    release();
    const replies = await Promise.all(runs.map(({ reply }) => reply));
    expect(replies.filter(({ success }) => success === true)).toHaveLength(count);
  },
);

/** A command that stands still, and says so with a file. */
const standing = 'touch "$SIGN"; sleep 3600';

/** Agents with a process of their own under way. */
const agents = [
  { agent: 'the bash agent with its command', harness: 'id = "bash"' },
  {
    agent: 'an agent that is a program with a child',
    harness: `id = "command"
name = "sleeper"
dialect = "chat-completions"
run = ["sh", "-c", ${JSON.stringify(`(${standing}) & ${standing}`)}]`,
  },
];

/** How a client ends a run. */
const end = {
  cancel: async (client: EnvClient, { id, reply }: Awaited<ReturnType<EnvClient['ask']>>) => {
    const { cancelled } = await client.call('cancel', { request_id: id });
    const { success } = await reply;
    if (cancelled !== true || success !== false) throw new Error('the run was not cancelled');
  },
  leaving: async (client: EnvClient) => client[Symbol.dispose](),
};
const counted = { cancel: { cancelled: 1 }, leaving: { lost: 1 } };
const ways = ['cancel', 'leaving'] as const;

test.each(agents.flatMap((each) => ways.map((by) => ({ ...each, by }))))(
  '[serve/nothing-left] after $by nothing is left of $agent',
  { timeout: 120_000 },
  async ({ harness, by }) => {
    const place = await vfPlace();
    const sign = join(place.dir, 'sign');
    await using model = await startScriptedModel({
      script: () => callTool('bash', { command: standing }),
    });
    const env = `env = { SIGN = ${JSON.stringify(sign)} }`;
    await writeFile(join(place.dir, 'env.toml'), `[harness]\n${harness}\n${env}\n`);
    const served = await serve(place, '@', 'env.toml');
    const processes = (): string[] =>
      processesWith(place.dir).filter((pid) => pid !== String(served.pid));
    const boxes = async (): Promise<string[]> =>
      (await readdir(place.dir, { recursive: true })).filter((path) => path.includes('box-'));
    const client = clientOf(served);
    const run = await client.ask('run', requestTo(model));
    await vi.waitUntil(() => existsSync(sign), patience);
    expect(processes()).not.toEqual([]);
    expect(await boxes()).not.toEqual([]);
    await end[by](client, run);
    await expect.poll(async () => [...processes(), ...(await boxes())], patience).toEqual([]);
    expect(await clientOf(served).call('metrics')).toMatchObject({
      metrics: { running: 0, ...counted[by] },
    });
  },
);
