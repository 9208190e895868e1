import { expect, test, vi } from 'vitest';

import type { Check } from './checks.ts';
import { runChecks } from './run-checks.ts';

function node(title: string, code: string, after?: string): Check {
  const check: Check = { title, command: [process.execPath, '-e', code] };
  return after === undefined ? check : { ...check, after };
}

async function run(checks: readonly Check[]) {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  const counts = await runChecks(checks);
  return { counts, output: print.mock.calls.join('\n') };
}

test('every check runs, and the output of a failed one is shown', async () => {
  const { counts, output } = await run([
    node('first', 'console.error("it is broken"); process.exit(1)'),
    node('second', 'console.log("quiet")'),
    node('third', ''),
  ]);
  expect(counts).toEqual({ passed: 2, failed: 1, skipped: 0 });
  expect(output).toContain('FAILED  first');
  expect(output).toContain('it is broken');
  expect(output).not.toContain('quiet');
});

test('a check waits for the one that it needs', async () => {
  const { counts, output } = await run([
    node('shape', '', 'build'),
    node('build', 'setTimeout(() => {}, 50)'),
  ]);
  expect(counts).toEqual({ passed: 2, failed: 0, skipped: 0 });
  expect(output.indexOf('build')).toBeLessThan(output.indexOf('shape'));
});

test('a check whose need failed counts as skipped', async () => {
  const { counts, output } = await run([
    node('build', 'process.exit(1)'),
    node('shape', '', 'build'),
  ]);
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 1 });
  expect(output).toContain('skipped shape: build did not pass');
});

test('a program that does not exist is a failed check', async () => {
  const { counts } = await run([{ title: 'gone', command: ['no-such-program-here'] }]);
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
