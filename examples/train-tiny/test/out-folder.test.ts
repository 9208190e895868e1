import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyFolder } from '../src/out-folder.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vf-train-tiny-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('a training takes the place of an earlier one, and of nothing else', async () => {
  const folder = await newFolder();
  const out = join(folder, 'a', 'b');
  await emptyFolder(out);
  await writeFile(join(out, 'results.json'), '{}');
  await emptyFolder(out);
  expect(await readdir(out)).toEqual(['.train-tiny']);
  await expect(emptyFolder(folder)).rejects.toThrow(/no folder of an earlier training/);
  expect(await readdir(folder)).toEqual(['a']);
  await expect(emptyFolder(join(out, '.train-tiny'))).rejects.toThrow(/ENOTDIR/);
  const bare = join(folder, 'bare');
  await mkdir(bare);
  await emptyFolder(bare);
  expect(await readdir(bare)).toEqual(['.train-tiny']);
});
