import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { engineAt } from '../src/engine/engine.ts';
import runtime from '../src/index.ts';
import { docker, leftBehind, noEngine, signal } from './engine.ts';

const module = new URL('../src/index.ts', import.meta.url).href;

// Makes a box with a sidecar, a volume and a relay, says so, and waits.
const maker = `
const [module, spec] = JSON.parse(process.argv[1]);
const { default: runtime } = await import(module);
const { signal } = new AbortController();
const started = Math.floor(Date.now() - performance.now());
const box = await runtime.create({ ...spec, labels: { ...spec.labels, pid: process.pid, started } }, signal);
await box.reach('http://127.0.0.1:9', signal);
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => box.stop().then(() => process.exit()));
process.on('SIGUSR2', async () => {
  console.log(await box.keep());
  await runtime.create({ ...spec, labels: { ...spec.labels, pid: process.pid, started } }, signal);
  console.log(runtime.cleanup());
  process.exit();
});
console.log('made');
setInterval(() => {}, 60000);
`;

const set = `
services:
  main: { volumes: [named:/n, /anonymous] }
  side: { image: 'busybox:latest', command: [sleep, '600'], init: true, restart: always }
volumes: { named: {} }
`;

describe.skipIf(noEngine)('a box with services leaves nothing', () => {
  let folder: string;
  let child: ChildProcess;
  const rollout = `leftovers-${crypto.randomUUID()}`;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vf-left-'));
    const file = join(folder, 'docker-compose.yaml');
    await writeFile(file, set);
    const labels = { run: 'test', rollout, host: hostname() };
    const config = { pull: 'never', host: engineAt(undefined).address };
    const spec = { config, image: 'busybox:latest', compose: { files: [file] }, labels };
    const input = JSON.stringify([module, spec]);
    const args = ['--conditions=@vf/source', '--input-type=module', '-e', maker, input];
    child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (child.stdout !== null) await once(createInterface({ input: child.stdout }), 'line');
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });
  const end = async (how: NodeJS.Signals): Promise<void> => {
    child.kill(how);
    await once(child, 'exit');
  };

  test('after it was stopped', async () => {
    // Main, its sidecar and its relay; a network; the volume with a name.
    expect(await leftBehind(child.pid)).toHaveLength(5);
    await end('SIGTERM');
    expect(await leftBehind(child.pid)).toEqual([]);
  });

  test('after its process was interrupted', async () => {
    await end('SIGINT');
    await expect.poll(() => leftBehind(child.pid), { timeout: 10_000 }).toEqual([]);
  });

  test('but a box that is kept, whole and with the way into it, until it is asked for', async () => {
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    const told: string[] = [];
    lines.on('line', (line) => told.push(line));
    await end('SIGUSR2');
    const [entry = '', left] = told;
    // The other set was freed by the hard stop.
    expect(left).toBe('0');
    const [, name = ''] = /docker .*exec -it -w \S+ (vf-kept-\w{12}) sh$/.exec(entry) ?? [];
    const sweep = async (kept: boolean): Promise<readonly string[]> => {
      const found = await runtime.sweep({ olderThanMs: 0, dryRun: false, kept }, signal);
      return found.filter(({ labels }) => labels.rollout === rollout).map(({ what }) => what);
    };
    expect(await sweep(false)).toEqual([]);
    // Main and its sidecar; a network; the volume with a name. No relay.
    expect(await leftBehind(child.pid)).toHaveLength(4);
    expect((await docker.getContainer(name).inspect()).State.Running).toBe(true);
    expect(await sweep(true)).toContain(`kept container ${name} of image busybox:latest`);
    await expect.poll(() => leftBehind(child.pid), { timeout: 10_000 }).toEqual([]);
  });

  test('after its process was killed, once it is swept', async () => {
    await end('SIGKILL');
    const sweep = async (dryRun: boolean): Promise<readonly string[]> => {
      const found = await runtime.sweep({ olderThanMs: 0, dryRun }, signal);
      return found.filter(({ labels }) => labels.rollout === rollout).map(({ what }) => what);
    };
    const listed = await sweep(true);
    expect(listed.map((what) => what.replace(/ .*/, '')).toSorted()).toEqual([
      'container',
      'container',
      'network',
      'volume',
    ]);
    expect(await sweep(false)).toEqual(listed);
    expect(await sweep(true)).toEqual([]);
    await expect.poll(() => leftBehind(child.pid), { timeout: 10_000 }).toEqual([]);
  });
});

// Begins to make boxes, says so, and frees all at once when it is interrupted.
const hasty = `
const [module, spec] = JSON.parse(process.argv[1]);
const { default: runtime } = await import(module);
const { signal } = new AbortController();
const labels = { ...spec.labels, pid: process.pid, started: Date.now() };
const make = () => runtime.create({ ...spec, labels }, signal);
await make();
process.on('SIGINT', () => {
  console.log('left ' + runtime.cleanup());
  process.exit(130);
});
for (let i = 0; i < 6; i++) make().catch(() => {});
console.log('making');
setInterval(() => {}, 60000);
`;

test.skipIf(noEngine)('boxes that are being made at a hard stop are not left', async () => {
  const labels = { run: 'test', rollout: 'hasty', host: hostname() };
  const config = { pull: 'never', host: engineAt(undefined).address };
  const input = JSON.stringify([module, { config, image: 'busybox:latest', labels }]);
  const args = ['--conditions=@vf/source', '--input-type=module', '-e', hasty, input];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  const said = once(lines, 'line');
  child.kill('SIGINT');
  expect(await said).toEqual(['left 0']);
  expect(await leftBehind(child.pid)).toEqual([]);
});
