import { connect } from 'node:net';
import { once } from 'node:events';
import type { Log } from '@vf/core';
import { VfError } from '@vf/core/errors';
import * as fc from 'fast-check';
import { onTestFinished, describe, expect, test, vi } from 'vitest';
import { pack } from '@vf/wire';
import { startEnvServer } from '../src/index.ts';
import type { EnvServerOptions, RunEvents, RunHost } from '../src/index.ts';
import { TestClient } from './client.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Runs that end when the test says so. */
class HeldHost implements RunHost {
  readonly running: {
    readonly end: (reply: object) => void;
    readonly emit: (delta: object) => void;
    readonly note: (note: string) => void;
  }[] = [];
  aborted = 0;

  run(_payload: Uint8Array, events: RunEvents, signal: AbortSignal) {
    return new Promise<Uint8Array>((resolve, reject) => {
      this.running.push({
        end: (reply) => resolve(pack(reply)),
        emit: (delta) => events.delta(pack(delta)),
        note: (note) => events.noted(note),
      });
      signal.addEventListener('abort', () => {
        this.aborted++;
        reject(signal.reason);
      });
    });
  }

  counts() {
    return { workers: 1 };
  }

  readonly boxes = 0;

  cleanup() {
    return 0;
  }

  async close() {}
}

async function start(options: Partial<EnvServerOptions> = {}) {
  const host = new HeldHost();
  const server = await startEnvServer({
    host,
    tasks: [],
    bind: 'tcp://127.0.0.1:0',
    log: silent,
    ...options,
  });
  onTestFinished(() => server.close());
  const client = new TestClient(server.address);
  onTestFinished(() => client[Symbol.asyncDispose]());
  return { host, server, client };
}

const healthy = { success: true, error: null };

describe('[serve/protocol] the environment protocol', () => {
  test('a run brings its deltas in order and then its reply', async () => {
    const { host, client } = await start();
    const id = await client.ask('run');
    await vi.waitUntil(() => host.running.length === 1);
    host.running[0]?.emit({ trace: 'a' });
    host.running[0]?.emit({ trace: 'b' });
    host.running[0]?.end({ success: true });
    const { reply, deltas } = await client.reply(id);
    expect(reply).toEqual({ success: true });
    expect(deltas).toEqual([{ trace: 'a' }, { trace: 'b' }]);
  });

  test('what clients cannot do is a warning, once for all runs [serve/train]', async () => {
    const warnings: string[] = [];
    const log = { ...silent, warn: (message: string) => void warnings.push(message) };
    const { host, client } = await start({ log });
    for (const note of ['renderer chatml: no tools', 'renderer smollm2: no tools']) {
      const asked = [await client.ask('run'), await client.ask('run')];
      await vi.waitUntil(() => host.running.length >= 2);
      for (const run of host.running.splice(0)) {
        run.note(note);
        run.end({ success: true });
      }
      for (const id of asked) await client.reply(id);
    }
    expect(warnings).toEqual(['renderer chatml: no tools', 'renderer smollm2: no tools']);
  });

  test('health is answered while runs are under way', async () => {
    const { host, client } = await start({ limits: { maxConcurrent: 200 } });
    for (let i = 0; i < 200; i++) await client.ask('run');
    expect(await client.call('health')).toEqual(healthy);
    expect(host.running).toHaveLength(200);
  });

  test('cancel ends the run, which still replies; a second one finds nothing', async () => {
    const { host, client } = await start();
    const id = await client.ask('run');
    await vi.waitUntil(() => host.running.length === 1);
    expect(await client.call('cancel', { request_id: id })).toEqual({
      ...healthy,
      cancelled: true,
    });
    expect((await client.reply(id)).reply).toMatchObject({ success: false });
    expect(host.aborted).toBe(1);
    expect(await client.call('cancel', { request_id: id })).toEqual({
      ...healthy,
      cancelled: false,
    });
  });

  test('a failed request is an answer', async () => {
    const failing = new HeldHost();
    failing.run = () => Promise.reject(new VfError('taskset/invalid_row', 'row 0 is no row'));
    const { client } = await start({ host: failing });
    expect(await client.call('run')).toEqual({
      success: false,
      error: 'taskset/invalid_row: row 0 is no row',
    });
    const hint = 'client.renderer = one of qwen3, glm-5';
    failing.run = () =>
      Promise.reject(new VfError('misfit/no_renderer', 'no renderer is known', { hint }));
    expect(await client.call('run')).toEqual({
      success: false,
      error: `misfit/no_renderer: no renderer is known (fix: ${hint})`,
    });
  });

  test('tasks come in pages, without what may be secret', async () => {
    const tasks = Array.from({ length: 3 }, (_, i) => {
      const row = { prompt: `p${i}`, env: { TOKEN: 'secret' } };
      return { key: `k${i}`, hash: `h${i}`, row, task: { key: `k${i}` } };
    });
    const { client } = await start({ tasks });
    expect(await client.call('tasks', { offset: 1, limit: 1 })).toEqual({
      ...healthy,
      total: 3,
      tasks: [{ key: 'k1', hash: 'h1', row: { prompt: 'p1' } }],
    });
    expect(await client.call('tasks')).toMatchObject({ tasks: { length: 3 } });
  });
});

describe('[serve/back-pressure] too much at once', () => {
  test('waits in order, and a cancelled one leaves the queue', async () => {
    const { host, client } = await start({ limits: { maxConcurrent: 1 } });
    const [first, second, third] = [
      await client.ask('run'),
      await client.ask('run'),
      await client.ask('run'),
    ];
    expect(await client.call('metrics')).toMatchObject({ metrics: { running: 1, queued: 2 } });
    await client.call('cancel', { request_id: second });
    expect((await client.reply(second)).reply).toMatchObject({ success: false });
    host.running[0]?.end({ n: 1 });
    expect((await client.reply(first)).reply).toEqual({ n: 1 });
    await vi.waitUntil(() => host.running.length === 2);
    host.running[1]?.end({ n: 3 });
    expect((await client.reply(third)).reply).toEqual({ n: 3 });
    const metrics = { running: 0, queued: 0, finished: 2, cancelled: 1 };
    expect(await client.call('metrics')).toMatchObject({ metrics });
  });

  test('is refused behind a full queue', async () => {
    const { client } = await start({ limits: { maxConcurrent: 1, maxQueued: 1 } });
    await client.ask('run');
    await client.ask('run');
    expect(await client.call('run')).toMatchObject({
      success: false,
      error: expect.stringContaining('the server is full'),
    });
  });

  test('an oversized request is refused, a far larger one ends its connection alone', async () => {
    const { server, client } = await start({ limits: { maxPayloadBytes: 1000 } });
    expect(await client.call('run', new Uint8Array(1500))).toMatchObject({
      success: false,
      error: expect.stringContaining('1500 bytes'),
    });
    await using other = new TestClient(server.address);
    await other.ask('run', new Uint8Array(5000));
    expect(await client.call('health')).toEqual(healthy);
  });
});

describe('[serve/hostile] what is no request', () => {
  test('messages of too few or too many frames are dropped', async () => {
    const { client } = await start();
    await client.frames('id');
    await client.frames('id', 'health');
    await client.frames('id', 'health', pack({}), 'more');
    expect(await client.call('metrics')).toMatchObject({ metrics: { dropped: 3 } });
  });

  test('an unknown method, broken msgpack and a request twice are answered', async () => {
    const { client } = await start();
    expect(await client.call('step')).toMatchObject({
      success: false,
      error: 'usage/invalid: unknown method "step"',
    });
    expect(await client.call('cancel', Uint8Array.of(0xc1))).toMatchObject({ success: false });
    expect(await client.call('cancel', Uint8Array.of(0x93))).toMatchObject({ success: false });
    expect(await client.call('cancel', 7)).toMatchObject({ success: false });
    await client.frames('twice', 'run', pack({}));
    await client.frames('twice', 'run', pack({}));
    expect((await client.reply('twice')).reply).toMatchObject({ success: false });
  });

  test('an id comes back as it was, text or not', async () => {
    const { host, client } = await start();
    const id = Uint8Array.of(0xff, 0, 0xfe, 0x80);
    await client.frames(id, 'health', pack({}));
    expect((await client.reply(Buffer.from(id).toString('latin1'))).reply).toEqual(healthy);
    await client.frames('é', 'run', pack({}));
    await vi.waitUntil(() => host.running.length === 1);
    expect(await client.call('cancel', { request_id: 'é' })).toMatchObject({ cancelled: true });
  });

  test('bytes that are no ZeroMQ at all', async () => {
    const { server, client } = await start();
    const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(20));
    expect(await client.call('health')).toEqual(healthy);
    expect(server.counts()).toMatchObject({ failed: 0 });
  });

  test('any payload to any method leaves the server alive', async () => {
    const { client } = await start();
    const method = fc.constantFrom('health', 'cancel', 'tasks', 'metrics', 'x');
    await fc.assert(
      fc.asyncProperty(method, fc.uint8Array({ maxLength: 64 }), async (name, payload) => {
        expect(typeof (await client.call(name, payload))['success']).toBe('boolean');
      }),
      { numRuns: 100 },
    );
    expect(await client.call('health')).toEqual(healthy);
  });

  test('the runs of a client that vanished end, those of others go on', async () => {
    const { host, server, client } = await start();
    const gone = new TestClient(server.address);
    await gone.ask('run');
    await gone.ask('run');
    await vi.waitUntil(() => host.running.length === 2);
    const id = await client.ask('run');
    await vi.waitUntil(() => host.running.length === 3);
    await gone[Symbol.asyncDispose]();
    await vi.waitUntil(() => host.aborted === 2);
    host.running[2]?.end({ n: 1 });
    expect((await client.reply(id)).reply).toEqual({ n: 1 });
    expect(server.counts().lost).toBe(2);
  });
});

test('closing cancels what is under way, tells its client, and frees the address', async () => {
  const { host, server, client } = await start();
  const id = await client.ask('run');
  await vi.waitUntil(() => host.running.length === 1);
  await server.close();
  expect((await client.reply(id)).reply).toMatchObject({ success: false });
  const again = await startEnvServer({ host, tasks: [], bind: server.address, log: silent });
  await again.close();
});

test('an address that is taken is a named error', async () => {
  const { host, server } = await start();
  const taken = startEnvServer({ host, tasks: [], bind: server.address, log: silent });
  await expect(taken).rejects.toMatchObject({ code: 'interception/failed' });
});
