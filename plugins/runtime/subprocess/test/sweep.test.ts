import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { thisProcess } from '@vf/runtime-kit';
import type { Maker } from '@vf/runtime-kit';
import { writeRecord } from '../src/leftovers/record.ts';
import { sweep } from '../src/leftovers/sweep.ts';

const { signal } = new AbortController();
const labels = { run: 'r', rollout: 'x', host: hostname(), pid: 1, started: 1 };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vf-sweep-test-'));
  vi.stubEnv('VF_CACHE_DIR', root);
});
afterEach(() => rm(root, { recursive: true }));

function record(id: string, maker: Partial<Maker>, created = 0): void {
  const whole = { ...thisProcess(), ...maker };
  writeRecord({ version: 1, id, folder: join(root, id), labels, maker: whole, created });
}

test('only boxes that are old enough and whose maker is gone are found', async () => {
  record('box-mine', {});
  record('box-elsewhere', { host: 'another-machine' });
  record('box-recycled-pid', { start: 'long ago' });
  record('box-young', { start: 'long ago' }, Date.now());
  const found = await sweep({ olderThanMs: 60_000, dryRun: false }, signal);
  expect(found).toEqual([{ what: `folder ${join(root, 'box-recycled-pid')}`, labels }]);
  const left = ['box-elsewhere.json', 'box-mine.json', 'box-young.json'];
  expect((await readdir(join(root, 'subprocess'))).toSorted()).toEqual(left);
});

test('nothing was ever made: nothing is found', async () => {
  expect(await sweep({ olderThanMs: 0, dryRun: false }, signal)).toEqual([]);
});
