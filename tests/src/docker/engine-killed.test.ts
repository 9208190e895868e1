import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { episodes } from '@vf/store';
import { hang, startScriptedModel } from '@vf/testkit';
import Docker from 'dockerode';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { editScript } from '../agents/scripts.ts';
import { vfPlace } from '../cli/vf.ts';
import { noEngine } from './engine.ts';

const tests = resolve(import.meta.dirname, '../..');
const fileEdit = resolve(tests, '../examples/file-edit/file-edit.ts');
/** Agents are installed there already. */
const cache = process.env['VF_CACHE_DIR'] ?? join(homedir(), '.cache/vf');
const run = promisify(execFile);
const mayStart = process.getuid?.() === 0;

/** An engine of the test's own, in a network namespace of its own: two share `docker0`, and one without it removes it. */
class OwnEngine {
  readonly #dir: string;
  readonly docker: Docker;
  readonly host: string;
  #pid = 0;

  constructor(dir: string) {
    const socketPath = join(dir, 'engine.sock');
    this.#dir = dir;
    this.docker = new Docker({ socketPath });
    this.host = `unix://${socketPath}`;
  }

  async start(): Promise<void> {
    const at = (name: string): string => join(this.#dir, name);
    const folders = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')];
    const args = ['--net', 'dockerd', '--host', this.host, ...folders, '--iptables=false'];
    this.#pid = spawn('unshare', args, { stdio: 'ignore' }).pid ?? 0;
    await vi.waitUntil(async () => !(await this.#isGone()), { timeout: 30_000, interval: 100 });
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.#pid, signal);
  }

  /** Also of a killed one: its containers and its mount are still there. */
  async end(): Promise<void> {
    await this.docker.ping().catch(() => this.start());
    for (const { Id } of await this.docker.listContainers({ all: true })) {
      await this.docker.getContainer(Id).remove({ force: true });
    }
    this.kill('SIGTERM');
    await vi.waitUntil(() => this.#isGone(), { timeout: 30_000, interval: 100 });
    await run('umount', [join(this.#dir, 'data')]).catch(() => {});
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 3 });
  }

  #isGone(): Promise<boolean> {
    return this.docker.ping().then(
      () => false,
      () => true,
    );
  }
}

async function ownEngine(): Promise<OwnEngine> {
  const engine = new OwnEngine(await mkdtemp(join(tmpdir(), 'vf-own-')));
  await engine.start();
  onTestFinished(() => engine.end());
  const load = 'docker save busybox:latest | docker --host "$0" load';
  await run('sh', ['-c', load, engine.host]);
  return engine;
}

describe.skipIf(noEngine || !mayStart)('an engine that is killed under a run', () => {
  test('scores nothing, and the run is whole after its return', { timeout: 120_000 }, async () => {
    const engine = await ownEngine();
    let hangs = true;
    await using model = await startScriptedModel({
      script: (request) => (hangs ? hang() : editScript(request)),
    });
    const place = await vfPlace({
      VF_PROJECT: tests,
      VF_CACHE_DIR: cache,
      DOCKER_HOST: engine.host,
    });
    const box = [
      '--runtime',
      'docker',
      '--runtime.image',
      'busybox:latest',
      '--runtime.pull',
      'never',
    ];
    const provider = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
    const agent = ['--harness', 'codex', '-c', '2', '--run', 'killed'];
    const playing = place.start(['eval', fileEdit, ...box, ...provider, ...agent]);
    const closed = once(playing, 'close');
    await vi.waitUntil(() => model.turns.length === 2, { timeout: 60_000 });
    engine.kill('SIGKILL');
    expect(await closed).toEqual([3, null]);

    const dir = join(place.dir, 'outputs/killed');
    const failed = (await Array.fromAsync(episodes(dir))).flatMap(({ traces }) => traces);
    expect(failed.map(({ reward }) => reward)).toEqual([null, null, null]);
    const kinds = failed.flatMap(({ errors }) => errors.map(({ type }) => type));
    expect(new Set(kinds)).toEqual(new Set(['runtime/engine_gone']));

    await engine.start();
    expect(await engine.docker.listContainers({ all: true })).not.toEqual([]);
    hangs = false;
    await place.run('resume', 'killed');
    const whole = (await Array.fromAsync(episodes(dir))).flatMap(({ traces }) => traces);
    expect(whole.map(({ reward }) => reward)).toEqual([1, 1, 1]);
    expect(await engine.docker.listContainers({ all: true })).toEqual([]);
  });
});
