import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { localTokenizer } from '@vf/local-model';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findPython } from '../python/venv.ts';
import { pythonWithVerifiers } from '../python/verifiers.ts';
import { vfCommand } from '../serve/serve-process.ts';
import { readPage } from './page.ts';

const run = promisify(execFile);
const python = await findPython();
const page = readPage('serving.md');
const clone = resolve(import.meta.dirname, '../../..');
const packageSource = join(clone, 'python/src');

describe.runIf(python !== null)('serving.md', () => {
  let folder = '';
  /** What a person types `vf` for. */
  let typed = '';
  let peer = '';
  let model: ScriptedModel;
  let env: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    peer = await pythonWithVerifiers(python ?? '');
    model = await startScriptedModel({ script: answerSums(), model: 'gpt-5.2' });
    folder = await mkdtemp(join(tmpdir(), 'vf-docs-'));
    for (const [file, code] of [...readPage('own-taskset.md').files, ...page.files])
      await writeFile(join(folder, file), code);
    const bin = join(folder, 'bin');
    typed = join(bin, 'vf');
    await mkdir(bin);
    await writeFile(typed, `#!/bin/sh\nexec ${vfCommand.join(' ')} "$@"\n`);
    await chmod(typed, 0o755);
    env = {
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
      HOME: folder,
      PYTHONPATH: packageSource,
      OPENAI_API_KEY: 'no-key',
      VF_PROJECT: resolve(import.meta.dirname, '../..'),
    };
  }, 600_000);

  afterAll(async () => {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the server of the page on a port of its own, for this test. @returns the line that says it is ready */
  async function serve(line: string): Promise<string> {
    const [, ...args] = line.replace(/:5000$/, ':0').split(/\s+/);
    const server = spawn(typed, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => stop(server));
    const [ready] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    return ready;
  }

  test('a program plays on the server that is typed', { timeout: 120_000 }, async () => {
    expect(page.commands).toHaveLength(1);
    const ready = await serve(page.commands[0] ?? '');
    const [, tasks, address = ''] = /(\d+) tasks, on (\S+)$/.exec(ready) ?? [];
    expect(tasks).toBe('10');
    const { stdout } = await run(peer, ['-B', 'play.py', address, `${model.url}/v1`], {
      cwd: folder,
      env,
    });
    expect(stdout.trim().split('\n')).toEqual(
      [0, 1, 2].map((number) => `What is ${number} + ${number}? 1.0`),
    );
  });

  test('a program starts the vf of a clone and reads a run', { timeout: 120_000 }, async () => {
    const [, command = ''] = /^export VF_COMMAND="(.+)"$/m.exec(page.text) ?? [];
    // Whatever Node the machine has.
    const path = ['/usr/bin', '/bin'].join(delimiter);
    const own = { ...env, PATH: path, VF_COMMAND: command.replaceAll('CLONE', clone) };
    const args = ['eval', './sums.ts', '-n', '4', '-m', 'gpt-5.2', '--base-url', `${model.url}/v1`];
    await run(typed, args, { cwd: folder, env });
    const { stdout } = await run(peer, ['-B', 'start.py'], { cwd: folder, env: own });
    expect(stdout).toBe('10 1\n4\n');
  });

  test('the config for training is one', { timeout: 120_000 }, async () => {
    await cp(await localTokenizer(), join(folder, 'policy'), { recursive: true });
    const ready = await serve('vf serve @ train.toml --bind tcp://127.0.0.1:5000');
    expect(ready).toContain('10 tasks');
  });
});

async function stop(server: ChildProcess): Promise<void> {
  const gone = once(server, 'exit');
  server.kill('SIGINT');
  await gone;
}
