import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '../src/index.ts';
import type { ResolvedConfig } from '../src/index.ts';

/** A config of one file, `a.toml`. */
async function resolve(text: string): Promise<ResolvedConfig> {
  const cwd = mkdtempSync(join(tmpdir(), 'vf-odd-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'a.toml'), text);
  return resolveConfig({ cwd, files: ['a.toml'], flags: [], userFile: null });
}

async function problemsOf(text: string): Promise<readonly Problem[]> {
  const error: unknown = await resolve(text).catch((reason: unknown) => reason);
  if (!VfError.isInstance(error)) throw new Error('expected a VfError', { cause: error });
  return error.problems;
}

test.each(['.', '..', 'last', '', 'a/b', '../x'])('a run is not called %j', async (run) => {
  const problems = await problemsOf(`run = ${JSON.stringify(run)}`);
  expect(problems).toMatchObject([{ line: 1, path: `run = ${JSON.stringify(run)}` }]);
});

test.each(['latest', 'last-night', '.hidden', '...'])('a run may be called %j', async (run) => {
  expect((await resolve(`run = "${run}"`)).tree['run']).toBe(run);
});

test.each(['inf', '1e306', `"1${'0'.repeat(308)}d"`])('no duration is %s', async (value) => {
  const problems = await problemsOf(`timeout.rollout = ${value}`);
  expect(problems).toHaveLength(1);
});

test('what a timer takes no more of is no grace', async () => {
  const text = 'shutdown_grace = "25d"\ninterception.client_gone_grace = "25d"';
  const problems = await problemsOf(text);
  expect(problems.map(({ message }) => message)).toEqual(['at most 24 days', 'at most 24 days']);
});

test.each([
  'taskset.__proto__ = 1',
  '[rewards.__proto__]\nweight = 0',
  '[sampling]\n"__proto__" = { temperature = 9 }',
  '__proto__.model = "other"',
])('no table takes the key __proto__: %s', async (text) => {
  const problems = await problemsOf(text);
  expect(problems).toMatchObject([{ message: 'unknown key' }]);
});
