import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toolboxFolder } from '../src/toolbox.ts';

const { signal } = new AbortController();
const entry = { key: 'tool@1/linux', fill: (dir: string) => writeFile(join(dir, 'tool'), 'x') };

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'vf-toolbox-test-'));
  vi.stubEnv('VF_CACHE_DIR', cache);
  await mkdir(join(cache, 'toolbox'));
});
afterEach(() => rm(cache, { recursive: true }));

test('an entry is one folder below the cache', async () => {
  expect(await toolboxFolder(entry, signal)).toBe(join(cache, 'toolbox/tool@1-linux'));
  expect(await readdir(join(cache, 'toolbox'))).toEqual(['tool@1-linux']);
});

test('what a killed process held and had begun is taken over', async () => {
  const dead = { host: hostname(), pid: process.pid, start: 'another process with this pid' };
  await writeFile(join(cache, 'toolbox/tool@1-linux.lock'), JSON.stringify(dead));
  await mkdir(join(cache, 'toolbox/tool@1-linux.filling-1'));
  await toolboxFolder(entry, signal);
  expect(await readdir(join(cache, 'toolbox'))).toEqual(['tool@1-linux']);
});

test('waiting for another process can be aborted', async () => {
  await writeFile(join(cache, 'toolbox/tool@1-linux.lock'), '');
  const abort = new AbortController();
  const waiting = toolboxFolder(entry, abort.signal);
  abort.abort();
  await expect(waiting).rejects.toThrow('abort');
  expect(await readdir(join(cache, 'toolbox'))).toEqual(['tool@1-linux.lock']);
});
