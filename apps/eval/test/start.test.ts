import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { emptyFolder } from './cli.ts';

vi.setConfig({ testTimeout: 60_000 });

const cwd = emptyFolder();
const root = resolve(import.meta.dirname, '../../..');

/** What one command loads, from the root of the repository on. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const preload = `--import=${join(import.meta.dirname, 'list-modules.js')}`;
  const bin = join(root, 'apps/eval/bin/vf.js');
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [preload, '--conditions=@vf/source', bin, ...args],
    { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd } },
  );
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('loaded file:'))
    .map((line) => line.slice(line.indexOf(root) + root.length + 1));
}

test('--help loads help and nothing else', async () => {
  const loaded = await loadedBy('--help');
  expect(loaded.filter((path) => !path.startsWith('apps/eval/'))).toEqual([]);
  expect(loaded.length).toBeLessThan(8);
});

test('plugins list and show load neither the run nor a client', async () => {
  for (const args of [['plugins', 'list'], ['show']]) {
    const loaded = await loadedBy(...args);
    expect(loaded).not.toContain('packages/run/src/index.ts');
    expect(loaded.filter((path) => path.includes('undici'))).toEqual([]);
  }
  const shown = await loadedBy('show');
  expect(shown.filter((path) => path.includes('/zod/'))).toEqual([]);
});
