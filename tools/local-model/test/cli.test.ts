import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { llamaCpp } from '../src/engines/llama-cpp.ts';
import { installedPython } from '../src/installed-python.ts';
import { timeout, withPython } from './with-python.ts';

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** A cache folder of its own, so that a server in use is left alone; the engine is shared. */
const folder = mkdtempSync(join(tmpdir(), 'vf-local-model-cli-'));
beforeAll(
  withPython(async () => {
    const engine = join(await installedPython(llamaCpp, new AbortController().signal), '..', '..');
    mkdirSync(join(folder, 'local-model'));
    symlinkSync(engine, join(folder, 'local-model', basename(engine)));
  }),
  timeout,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, VF_CACHE_DIR: folder };
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout: stdout.trim(), stderr });
    });
  });
}

test('--help says what it does; an unknown option and a bad number are refused', async () => {
  expect((await run('--help')).stdout).toContain('--stop');
  const refused = (text: string) => ({ code: 2, stderr: expect.stringContaining(text) });
  expect(await run('--sotp')).toMatchObject(refused('--sotp'));
  expect(await run('--engine', 'ollama')).toMatchObject(refused('vllm'));
  expect(await run('--port', 'x')).toMatchObject(refused('--port'));
});

test('nothing runs: status says so by its exit code, stop does no harm', async () => {
  expect(await run('--status')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('no local model runs (llama.cpp)'),
  });
  expect(await run('--stop')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('not running'),
  });
});

test('new weights need a folder, a name and a server that runs', async () => {
  const refused = (text: string) => ({ code: 2, stderr: expect.stringContaining(text) });
  expect(await run('--reload', './step-1')).toMatchObject(refused('--version NAME'));
  expect(await run('--engine', 'vllm', '--reload', './step-1', '--version', 'a')).toMatchObject(
    refused('no local model runs (vllm)'),
  );
});

test(
  'two starts at once share one server; it outlives both, until it is stopped',
  { timeout },
  withPython(async () => {
    const options = ['--slots', '1', '--ctx', '512'];
    const [one, other] = await Promise.all([run(...options), run(...options)]);
    try {
      expect(one.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      const [, tokenizer = ''] = /^its tokenizer: (.+)$/m.exec(one.stderr) ?? [];
      expect(existsSync(join(tokenizer, 'tokenizer.json'))).toBe(true);
      const use = `-m smollm2-135m-instruct --base-url ${one.stdout} --client.type train --client.engine llama.cpp`;
      expect(one.stderr).toContain(`exact tokens: vf eval TASKSET ${use} `);
      expect(one.stderr).not.toContain('its weights');
      expect(other).toMatchObject({ code: 0, stdout: one.stdout });
      expect((await fetch(`${one.stdout}/health`)).status).toBe(200);
      expect(await run('--status')).toMatchObject({ code: 0, stdout: one.stdout });
    } finally {
      await run('--stop');
    }
    await expect(fetch(`${one.stdout}/health`)).rejects.toThrow('fetch failed');
    expect((await run('--status')).code).toBe(1);
  }),
);
