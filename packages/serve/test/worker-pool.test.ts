import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { decode } from '@msgpack/msgpack';
import type { Log } from '@vf/core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { pack } from '@vf/wire';
import { startWorkerPool } from '../src/index.ts';
import type { RunHost } from '../src/index.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const module = fileURLToPath(new URL('./fixtures/worker.ts', import.meta.url));

interface Pool {
  readonly pool: RunHost;
  readonly children: ChildProcess[];
  readonly lost: () => number;
}

/** @param envOf variables of the n-th process that is started */
async function start(workers: number, envOf: (nth: number) => object = () => ({})): Promise<Pool> {
  const children: ChildProcess[] = [];
  onTestFinished(() => {
    expect(
      children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null),
    ).toEqual([]);
  });
  let lost = 0;
  const pool = await startWorkerPool({
    workers,
    start: () => {
      const child = spawn(process.execPath, ['--conditions=@vf/source', module], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...envOf(children.length) },
      });
      children.push(child);
      return child;
    },
    onLost: () => lost++,
    grace: 5_000,
    log: silent,
  });
  onTestFinished(() => pool.close());
  return { pool, children, lost: () => lost };
}

const never = new AbortController().signal;

/** @returns the reply, with the deltas and notes that came before it */
async function played(pool: RunHost, request: object, signal = never) {
  const deltas: Record<string, unknown>[] = [];
  const notes: string[] = [];
  const delta = (body: Uint8Array) => deltas.push(decode(body) as Record<string, unknown>);
  const body = await pool.run(
    pack(request),
    { delta, sampled() {}, noted: (note) => notes.push(note) },
    signal,
  );
  return { ...(decode(body) as { readonly pid: number }), deltas, notes };
}

describe('[serve/workers] several processes play', { timeout: 60_000 }, () => {
  test('each run goes to the one that has the fewest', async () => {
    const { pool } = await start(2);
    const stop = new AbortController();
    const waiting = [1, 2, 3].map(() => played(pool, { do: 'wait' }, stop.signal));
    const { pid } = await played(pool, { do: 'answer' });
    const again = await Promise.all([1, 2, 3].map(() => played(pool, { do: 'answer' })));
    expect(again[0]?.pid).toBe(pid);
    expect(new Set(again.map((one) => one.pid)).size).toBe(2);
    expect(pool.counts()).toEqual({ workers: 2, workers_lost: 0 });
    stop.abort();
    await Promise.allSettled(waiting);
  });

  test('what a run notes is heard here', async () => {
    const { pool } = await start(1);
    expect(await played(pool, { do: 'answer' })).toMatchObject({ notes: ['renderer é: no tools'] });
  });

  test('a cancel reaches the one that plays', async () => {
    const { pool } = await start(2);
    const stop = new AbortController();
    const waiting = played(pool, { do: 'wait' }, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('what a run throws there is thrown here', async () => {
    const { pool } = await start(1);
    await expect(played(pool, { do: 'throw' })).rejects.toMatchObject({
      code: 'internal/unexpected',
      message: 'run: the taskset is broken',
    });
    await expect(played(pool, { do: 'refuse' })).rejects.toMatchObject({
      code: 'misfit/no_renderer',
      message: 'no renderer is known',
      hint: 'name one of qwen3',
    });
  });

  test('large messages pass both ways', async () => {
    const { pool } = await start(1);
    const bytes = 20 * 2 ** 20;
    const { deltas } = await played(pool, { do: 'send', bytes, ballast: new Uint8Array(bytes) });
    expect(deltas[1]).toMatchObject({ trace: 'large', data: { length: bytes } });
  });
});

describe('[serve/workers] one that dies', { timeout: 60_000 }, () => {
  test('is started again; what had an answer of a model fails by name', async () => {
    const { pool, children, lost } = await start(2);
    const stop = new AbortController();
    const other = played(pool, { do: 'wait' }, stop.signal);
    await expect(played(pool, { do: 'die-late' })).rejects.toMatchObject({
      code: 'worker/lost',
      message: expect.stringContaining('SIGKILL'),
      retryable: true,
    });
    await vi.waitUntil(() => pool.counts()['workers'] === 2, { timeout: 30_000 });
    expect(children).toHaveLength(3);
    expect([lost(), pool.counts()['workers_lost']]).toEqual([1, 1]);
    stop.abort();
    await expect(other).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('has what no model had answered played anew, and what it sent called back', async () => {
    const { pool, children } = await start(1, (nth) => ({ VF_TEST_YOUNG: nth === 0 ? '0' : '1' }));
    const first = children[0]?.pid;
    const { pid, deltas } = await played(pool, { do: 'die-early' });
    expect(pid).toBe(children[1]?.pid);
    expect(deltas).toEqual([
      { trace: `t${first}`, open: {} },
      { trace: `t${first}`, discard: true },
      { trace: `t${pid}`, open: {} },
    ]);
  });

  test('twice with one run is not tried a third time', async () => {
    const { pool, children } = await start(1);
    await expect(played(pool, { do: 'die-early' })).rejects.toMatchObject({ code: 'worker/lost' });
    expect(children.length).toBeLessThanOrEqual(3);
  });

  test('a run that waits for one can be cancelled', async () => {
    const { pool } = await start(1, (nth) => ({ VF_TEST_BROKEN: nth === 0 ? '0' : '1' }));
    await expect(played(pool, { do: 'die-late' })).rejects.toMatchObject({ code: 'worker/lost' });
    const stop = new AbortController();
    const waiting = played(pool, { do: 'answer' }, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test('before it is ready, at the start, is a named error that leaves none', async () => {
    const starting = start(2, (nth) => ({ VF_TEST_BROKEN: String(nth) }));
    await expect(starting).rejects.toMatchObject({
      code: 'worker/lost',
      message: expect.stringContaining('exit code 7'),
    });
  });
});

test('[serve/workers] closing ends every process', { timeout: 60_000 }, async () => {
  const { pool, children } = await start(2);
  await pool.close();
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
});

test(
  '[serve/workers] when the server is gone they free their boxes and end',
  { timeout: 60_000 },
  async () => {
    const { pool, children } = await start(2);
    const ended = children.map((child) => once(child, 'exit'));
    pool.cleanup();
    await Promise.all(ended);
    expect(pool.counts()['workers']).toBe(0);
  },
);
