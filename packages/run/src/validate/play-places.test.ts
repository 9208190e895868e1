import { mkdtemp, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Trace } from '@vf/core/trace';
import { expect, onTestFinished, test } from 'vitest';
import { PlayPlaces } from './play-places.ts';

const folderOf = (task: string): string =>
  basename(dirname(new PlayPlaces('/r', task).dirOf('nothing')));

test.each([
  ['a task', 'a task'],
  ['zürich 🏔', 'zürich 🏔'],
  ['org/name', 'org%2Fname'],
  ['org%2Fname', 'org%252Fname'],
  ['..', '%2E%2E'],
  ['a\nb\0c', 'a%0Ab%00c'],
])('%j has a folder of its own: %s', (task, folder) => {
  expect(folderOf(task)).toBe(folder);
});

test('long names are cut, and differ where their ends do', () => {
  const [one, other] = ['a', 'b'].map((end) => folderOf('🏔'.repeat(500) + end));
  expect(one).not.toBe(other);
  expect(Buffer.byteLength(one ?? '')).toBeLessThan(255);
});

test('what sound plays left is removed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'vf-places-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const places = new PlayPlaces(root, 't');
  for (const name of ['reference', 'nothing'] as const)
    await mkdir(places.dirOf(name), { recursive: true });
  const trace = new Trace({
    id: 'x',
    start: 0,
    task: { type: 't', key: 't', hash: 'h', data: {} },
    agent: {
      name: 'agent',
      trainable: false,
      model: 'm',
      harness: { id: 'h', version: null, config: {} },
      runtime: { id: 'r', config: {} },
      sampling: {},
      limits: {},
    },
  });
  trace.info['said'] = 'no';
  expect(await places.evidence({ reference: trace })).toEqual([
    { of: 'reference', info: { said: 'no' }, kept: join(root, 't/reference') },
  ]);
  expect(await readdir(join(root, 't'))).toEqual(['reference']);
  expect(await places.evidence({})).toEqual([]);
  expect(await readdir(root)).toEqual([]);
});
