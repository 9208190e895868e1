import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { say, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServeProcess, vfCommand } from '../serve/serve-process.ts';
import { findPython } from './venv.ts';
import { pythonWithVerifiers, verifiersVersions } from './verifiers.ts';

const run = promisify(execFile);
const python = await findPython();
const packageDir = resolve(import.meta.dirname, '../../../python');
const taskset = resolve(import.meta.dirname, '../../fixtures/tasksets/loose-rows.ts');

type Facts = Readonly<Record<string, unknown>>;

interface Environment {
  readonly class: string;
  readonly typed: boolean;
  /** In a thread with an event loop of its own, meanwhile. */
  readonly beside: Facts;
  readonly played: readonly Facts[];
}

interface Driven {
  readonly one: Facts;
  readonly deltas: number;
  readonly many: number;
  readonly healthy: boolean;
  readonly wrong: string;
  readonly model: string;
  readonly temperature: number;
  readonly environment: Environment;
  readonly joined: Environment;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Installs our package as a trainer does. @returns the folder to import it from */
async function installed(peer: string, folder: string): Promise<string> {
  const target = join(folder, 'site');
  const install = ['-m', 'uv', 'pip', 'install', '-q', '--python', peer, '--no-deps'];
  await run(peer, [...install, '--target', target, packageDir]);
  return target;
}

describe.runIf(python !== null).each(verifiersVersions)(
  '[serve/peer] the client of verifiers %s drives vf serve',
  (version) => {
    let folder = '';
    let model: ScriptedModel;
    let server: ServeProcess;
    let driven: Driven;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vf-serve-'));
      await writeFile(join(folder, 'env.toml'), `[taskset]\nid = ${JSON.stringify(taskset)}\n`);
      model = await startScriptedModel({
        script: async ({ messages }) => {
          if (JSON.stringify(messages).includes('wait'))
            await sleep(60_000, undefined, { ref: false });
          return say('done');
        },
      });
      server = await ServeProcess.start(folder, '@', 'env.toml');
      const peer = await pythonWithVerifiers(python ?? '', version);
      const site = await installed(peer, folder);
      const script = resolve(import.meta.dirname, '../../python/env_server.py');
      const config = { taskset: { id: 'vf-env', config: 'env.toml', command: vfCommand } };
      const { stdout } = await run(
        peer,
        [script, server.address, `${model.url}/v1`, JSON.stringify(config)],
        { cwd: folder, env: { ...process.env, PYTHONPATH: site }, maxBuffer: 1 << 24 },
      );
      driven = JSON.parse(stdout) as Driven;
    }, 600_000);

    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    const good = { ok: true, same_hash: true, same_key: true, reward: 1, turns: 1 };

    test('a task comes back as it was sent, under the hash that Python gives it', () => {
      expect(driven.one).toMatchObject({
        ...good,
        same_data: true,
        stop: 'agent_completed',
        roles: [['user', 'assistant']],
      });
      expect(driven.deltas).toBeGreaterThan(0);
    });

    test('the model is asked as the request says, its cache salt with it', () => {
      expect(driven).toMatchObject({ model: 'scripted', temperature: 0.5 });
      const [first] = model.turns;
      expect(JSON.parse(String(first?.body))).toMatchObject({
        model: 'scripted',
        temperature: 0.5,
        cache_salt: '7',
      });
    });

    test('many run at once; one is cancelled, and the server is healthy', () => {
      expect(driven.many).toBe(60);
      expect(driven.healthy).toBe(true);
      expect(driven.metrics).toMatchObject({
        running: 0,
        queued: 0,
        finished: 64,
        cancelled: 1,
        lost: 0,
      });
    });

    test('a row that does not fit is refused by name', () => {
      expect(driven.wrong).toMatch(/^taskset\/invalid_row: .*answer/);
    });

    test.each(['environment', 'joined'] as const)(
      'vf-env as an environment of verifiers: %s',
      (way) => {
        const { class: name, typed, played, beside } = driven[way];
        expect({ name, typed }).toEqual({ name: 'VfEnv', typed: true });
        expect([...played, beside]).toMatchObject([good, good, good]);
        expect(played[0]).toMatchObject({ roles: [['system', 'user', 'assistant']] });
      },
    );

    test('SIGINT ends the server cleanly', async () => {
      expect(await server.stop()).toBe(0);
    });
  },
);
