import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { digestOf } from './digest.ts';

const fixtures = resolve(import.meta.dirname, '../../fixtures');

/** A copy of a fixture task with more files in it. */
async function copyWith(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vf-digest-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await cp(join(fixtures, 'hello-file'), dir, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(resolve(dir, path, '..'), { recursive: true });
    await writeFile(join(dir, path), content);
  }
  return dir;
}

// What `Packager.compute_content_hash` of harbor 0.25.0 gives for them.
test.each([
  ['hello-file', '8798aae171766da29749914944bff46902fcca75c4c6077f524993166ca1fed8'],
  ['two-steps', '75fd5ec5973c00ae7db760e7241783658e9881bcf09c41415a6a981513c7077a'],
  ['json-reward', 'c5d6fddf482edfe61dee612a951182a3fe2434e463beb95b2e8c18527eeded24'],
])('the digest of %s is Harbor’s', async (task, digest) => {
  expect(await digestOf(join(fixtures, task))).toBe(digest);
});

test('what is not a part of a task does not count, what is does', async () => {
  const before = await digestOf(await copyWith({}));
  const beside = { 'notes.md': 'x', 'tests/__pycache__/a.pyc': 'x', 'tests/a~': 'x' };
  expect(await digestOf(await copyWith(beside))).toBe(before);
  expect(await digestOf(await copyWith({ 'tests/data.txt': 'x' }))).not.toBe(before);
});

test('`.gitignore` and `.harborignore` say what else does not count', async () => {
  const before = await digestOf(await copyWith({}));
  const byGit = { '.gitignore': '*.log\n', 'environment/a.log': 'x' };
  expect(await digestOf(await copyWith(byGit))).toBe(before);
  const byHarbor = { 'tests/.harborignore': 'big/\n!big/keep\n', 'tests/big/data': 'x' };
  expect(await digestOf(await copyWith(byHarbor))).toBe(before);
  const elsewhere = { 'environment/.harborignore': 'a.log\n', 'environment/a.log': 'x' };
  expect(await digestOf(await copyWith(elsewhere))).not.toBe(before);
});
