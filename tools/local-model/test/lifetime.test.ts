import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { startLocalModel } from '../src/index.ts';
import { isAlive, untilGone } from './processes.ts';
import { timeout, withPython } from './with-python.ts';

const small = { slots: 1, ctx: 512 };

test(
  'stop leaves no process, twice is once, and a signal stops it as well',
  { timeout },
  withPython(async () => {
    const first = await startLocalModel(small);
    expect(isAlive(first.pid)).toBe(true);
    await first.stop();
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const stopping = new AbortController();
    const second = await startLocalModel({ ...small, signal: stopping.signal });
    stopping.abort();
    await untilGone(second.pid);
    expect(isAlive(second.pid)).toBe(false);
  }),
);

test(
  'a port that is taken: a typed error',
  { timeout },
  withPython(async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(startLocalModel({ ...small, port })).rejects.toMatchObject({
      reason: 'start-failed',
      message: expect.stringContaining(`${port}`),
    });
    other.close();
  }),
);

/** A program that starts the model, prints its process id and goes on with `then`. */
async function parentOf(then: string): Promise<{
  parent: ChildProcessByStdio<null, Readable, null>;
  pid: number;
}> {
  const entry = new URL('../src/index.ts', import.meta.url).href;
  const script = `
    const { startLocalModel } = await import(${JSON.stringify(entry)});
    console.log((await startLocalModel({ slots: 1, ctx: 512 })).pid);
    ${then}`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  return { parent, pid: Number(String(line)) };
}

test.each(['SIGKILL', 'SIGINT'] as const)('it dies with its parent: %s', { timeout }, (signal) =>
  withPython(async () => {
    const { parent, pid } = await parentOf('setInterval(() => {}, 1000);');
    expect(isAlive(pid)).toBe(true);
    parent.kill(signal);
    await untilGone(pid);
    expect(isAlive(pid)).toBe(false);
  })(),
);

test(
  'a parent that has nothing else to do ends, and the model with it',
  { timeout },
  withPython(async () => {
    const { parent, pid } = await parentOf('');
    await once(parent, 'exit');
    await untilGone(pid);
    expect(parent.exitCode).toBe(0);
  }),
);
