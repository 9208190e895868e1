import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { root } from './workspace.ts';

const fixtures = join(root, 'tools/fixtures/counts');

/** Runs the fixtures whose path contains one of the words, in a vitest of their own. */
function run(words: readonly string[], ci: string): { code: number | null; lines: string[] } {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporter = join(root, 'tools/src/counts-reporter.ts');
  const { status, stdout } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', fixtures, '--reporter', reporter, ...words],
    { encoding: 'utf8', env: { PATH: process.env['PATH'], CI: ci } },
  );
  return { code: status, lines: stdout.trimEnd().split('\n') };
}

test('tests of each outcome and a file that does not load are counted', () => {
  const { code, lines } = run(['mixed', 'unloadable'], '');
  expect(lines.at(-1)).toBe('1 passed, 2 failed, 1 skipped');
  expect(lines).toContainEqual(expect.stringMatching(/^skipped: .*mixed\.test\.ts > left out$/));
  expect(code).toBe(1);
});

test('a skip fails the run in CI only', () => {
  const here = run(['skipping'], '');
  expect(here.lines.at(-1)).toBe('1 passed, 0 failed, 1 skipped');
  expect(here.code).toBe(0);
  expect(run(['skipping'], 'true').code).toBe(1);
});
