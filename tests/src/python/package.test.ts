import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { vfCommand } from '../serve/serve-process.ts';
import { cachedVenv, findPython } from './venv.ts';
import { pythonWithVerifiers, verifiersVersions } from './verifiers.ts';

const run = promisify(execFile);
const python = await findPython();
const packageDir = resolve(import.meta.dirname, '../../../python');
const testsDir = resolve(import.meta.dirname, '../..');
const mypy = 'mypy==2.4.1';

describe.runIf(python !== null)('[serve/package] the Python package vf-env', () => {
  let peer = '';

  beforeAll(async () => {
    peer = await pythonWithVerifiers(python ?? '');
  }, 600_000);

  test('passes its own tests', { timeout: 300_000 }, async () => {
    const { stderr } = await run(peer, ['-B', '-m', 'unittest', 'discover', '-s', 'tests'], {
      cwd: packageDir,
      env: {
        ...process.env,
        PYTHONPATH: join(packageDir, 'src'),
        VF_COMMAND: JSON.stringify(vfCommand),
        VF_TEST_FOLDER: testsDir,
      },
    });
    expect(stderr).toMatch(/^Ran \d{2,} tests[^]*^OK$/m);
  });

  test.each(verifiersVersions)(
    'reads traces with the models of verifiers %s',
    { timeout: 300_000 },
    async (version) => {
      const reader = await pythonWithVerifiers(python ?? '', version);
      const args = ['-B', '-m', 'unittest', 'discover', '-s', 'tests', '-p', 'test_traces.py'];
      const env = { ...process.env, PYTHONPATH: join(packageDir, 'src') };
      const { stderr } = await run(reader, args, { cwd: packageDir, env });
      expect(stderr).toMatch(/^Ran \d+ tests[^]*^OK$/m);
    },
  );

  test('is typed against the annotations of verifiers', { timeout: 600_000 }, async () => {
    const checker = await cachedVenv(python ?? '', mypy, [[mypy]]);
    const cache = resolve(checker, '../../mypy-cache');
    const { stdout } = await run(
      checker,
      ['-m', 'mypy', '--python-executable', peer, '--cache-dir', cache, 'src', 'tests'],
      { cwd: packageDir },
    );
    expect(stdout).toContain('no issues found');
  });
});
