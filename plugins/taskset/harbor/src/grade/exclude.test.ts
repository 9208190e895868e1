import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isExcluded, removeExcluded } from './exclude.ts';

test.each([
  ['node_modules/a.js', 'node_modules', true],
  ['deep/node_modules/a.js', 'node_modules', true],
  ['node_modules2/a.js', 'node_modules', false],
  ['a/b/c.pyc', '*.pyc', true],
  ['a/b/c.py', '*.pyc', false],
  ['a/b/c', 'a/*c', true],
  ['a.c', 'a?c', true],
  ['abc', 'a.c', false],
  ['log1', 'log[0-9]', true],
  ['logx', 'log[!0-9]', true],
  ['log1', 'log[!0-9]', false],
  ['dir/x', 'dir/', true],
])('%s under %s: %s', (path, pattern, expected) => {
  expect(isExcluded(path, pattern)).toBe(expected);
});

test('what is excluded goes, and nothing behind a link of the agent’s', async () => {
  const root = await mkdtemp(join(tmpdir(), 'vf-exclude-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [artifact, mine] = [join(root, 'artifact'), join(root, 'mine')];
  for (const folder of [join(artifact, 'deep'), mine]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'a.pyc'), '');
  }
  await symlink(mine, join(artifact, 'link'));
  await removeExcluded(artifact, ['*.pyc']);
  expect(await readdir(join(artifact, 'deep'))).toEqual([]);
  expect(await readdir(artifact)).toContain('link');
  expect(await readdir(mine)).toEqual(['a.pyc']);
});
