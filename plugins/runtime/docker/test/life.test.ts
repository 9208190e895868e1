import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { filledConfig } from '../src/config.ts';
import { createContainer } from '../src/engine/create-container.ts';
import { connection, engineAt } from '../src/engine/engine.ts';
import runtime from '../src/index.ts';
import { boxes, docker, noEngine, signal } from './engine.ts';
import { pretenders } from './pretend.ts';

describe.skipIf(noEngine)('life of a box', () => {
  const open = boxes();
  const pretend = pretenders();

  test('a box killed from outside is no failing program', async () => {
    const box = await open();
    const running = box.run(['sleep', '600']);
    running.catch(() => null);
    await docker.getContainer(box.id).kill();
    const message = expect.stringContaining('may have ended it, the agent’s too') as string;
    const gone = { code: 'runtime/box_gone', retryable: false, message };
    await expect(running).rejects.toMatchObject(gone);
    await expect(box.run(['true'])).rejects.toMatchObject(gone);
    await docker.getContainer(box.id).remove();
    const removed = { code: 'runtime/box_gone', retryable: true };
    await expect(box.read('/etc/passwd')).rejects.toMatchObject(removed);
    expect(await box.alive()).toBe(false);
  });

  test('nor is one killed at any moment of the start of its programs', async () => {
    for (let round = 0; round < 12; round++) {
      const box = await open();
      const programs = [0, 4, 8, 12].map(async (ms) => {
        await sleep(ms);
        return box.run(['sleep', '600']);
      });
      const ends = Promise.allSettled(programs);
      await sleep(round * 4);
      await docker.getContainer(box.id).kill();
      for (const end of await ends) {
        expect(end).toMatchObject({ reason: { code: 'runtime/box_gone' } });
      }
    }
  });

  test('is told what the engine will not do as asked', async () => {
    const host = await pretend({ '/containers/create': { Id: 'c1', Warnings: ['no swap limit'] } });
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    const container = await createContainer(engineAt(host), { Image: 'x' }, warn);
    expect(container.id).toBe('c1');
    expect(warnings).toEqual(['docker: no swap limit']);
  });

  test('hardened, its programs cannot win rights; else they have the usual ones', async () => {
    const status = async (config: object): Promise<string> => {
      const box = await open({ config });
      const asked = 'grep -E "NoNewPrivs|CapBnd" /proc/self/status | tr -d "\\t\\n"';
      return (await box.run(['sh', '-c', asked])).stdout;
    };
    expect(await status({ hardened: true })).toBe('CapBnd:00000000800404fbNoNewPrivs:1');
    expect(await status({})).toMatch(/NoNewPrivs:0$/);
  });

  test('an engine that does not answer says how to start it', async () => {
    const config = { host: 'unix:///nowhere/docker.sock' };
    await expect(open({ config })).rejects.toMatchObject({
      code: 'runtime/engine_gone',
      hint: expect.stringContaining('start') as string,
      retryable: false,
    });
  });

  test('an engine that goes away under a rollout is told as that, not as a failing program', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'vf-gone-'));
    const path = join(dir, 'engine.sock');
    const { socketPath } = connection(engineAt(undefined).address);
    const sockets = new Set<Socket>();
    const way = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect(String(socketPath));
      for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
      near.pipe(far).pipe(near);
    }).listen(path);
    await once(way, 'listening');
    const labels = { run: 'test', rollout: 'test', host: hostname(), pid: process.pid, started: 0 };
    const config = filledConfig({ host: `unix://${path}`, pull: 'never' });
    const box = await runtime.create({ config, image: 'busybox:latest', labels }, signal);
    const running = box.run(['sleep', '600']);
    running.catch(() => null);
    way.close();
    await rm(dir, { recursive: true });
    for (const socket of sockets) socket.destroy();
    const gone = { code: 'runtime/engine_gone' };
    await expect(running).rejects.toMatchObject(gone);
    await expect(box.run(['true'])).rejects.toMatchObject(gone);
    await expect(box.read('/etc/passwd')).rejects.toMatchObject(gone);
    expect(await box.alive()).toBe(false);
    await docker.getContainer(box.id).remove({ force: true });
    box.cleanup();
  });

  test('an image that nobody has is named', async () => {
    await expect(open({ image: 'vf.invalid/none:1' })).rejects.toMatchObject({
      code: 'runtime/image_not_found',
      message: expect.stringContaining('vf.invalid/none:1') as string,
    });
  });

  test('a program that takes more than the memory of the box is told apart', async () => {
    const box = await open({ resources: { memoryMb: 64 } });
    const greedy = await box.run(['sh', '-c', 'exec tail /dev/zero']);
    expect(greedy).toMatchObject({ exitCode: 137, oomKilled: true });
    const childless = await box.run(['sh', '-c', 'tail /dev/zero; sleep 1.2; exit 3']);
    expect(childless).toMatchObject({ exitCode: 3, oomKilled: true });
    const killed = await box.run(['sh', '-c', 'kill -KILL $$']);
    expect(killed).toMatchObject({ exitCode: 137, oomKilled: false });
    expect(await box.alive()).toBe(true);
  });

  test('limits reach the container', async () => {
    const box = await open({
      config: { pids: 50, shm_mb: 32, cpu: 0.5 },
      resources: { memoryMb: 128, cpu: 2 },
    });
    const { HostConfig } = await docker.getContainer(box.id).inspect();
    expect(HostConfig).toMatchObject({
      PidsLimit: 50,
      ShmSize: 32 * 1024 * 1024,
      NanoCpus: 5e8,
      Memory: 128 * 1024 * 1024,
      MemorySwap: 128 * 1024 * 1024,
      Init: true,
    });
    const forks = 'i=0; while [ $i -lt 80 ]; do sleep 5 & i=$((i+1)); done; wait';
    expect((await box.run(['sh', '-c', forks])).stderr).toMatch(/fork/i);
  });

  test('a numeric user owns its home, its workdir and what is written for it', async () => {
    const box = await open({ user: 1234, workdir: '/made/for/it' });
    await box.write('file', 'x');
    const script = 'id -u; stat -c %u . file "$HOME"; touch new "$HOME/new"';
    const { stdout, stderr } = await box.run(['sh', '-c', script]);
    expect([stdout, stderr]).toEqual(['1234\n1234\n1234\n1234\n', '']);
    await expect(box.run(['true'], { user: 'nobody-knows' })).rejects.toMatchObject({
      code: 'runtime/exec_failed',
    });
  });

  test('twenty boxes at once leave no container, relays included', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => open({ image: 'busybox' })));
    await Promise.all(many.slice(0, 3).map((box) => box.reach('http://127.0.0.1:9', signal)));
    expect((await Promise.all(many.map((box) => box.alive()))).every(Boolean)).toBe(true);
    await Promise.all(many.map((box) => box.stop()));
    const left = await docker.listContainers({ all: true });
    const ids = new Set(many.map(({ id }) => id));
    const ours = left.filter(({ Id, Labels }) => {
      return ids.has(Id.slice(0, 12)) || Labels['vf.maker.pid'] === String(process.pid);
    });
    expect(ours).toEqual([]);
  });
});
