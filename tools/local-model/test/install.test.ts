import { execFile } from 'node:child_process';
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { llamaCpp } from '../src/engines/llama-cpp.ts';
import { findPython } from '../src/find-python.ts';
import { LocalModelUnavailable, startLocalModel } from '../src/index.ts';
import { installedPython } from '../src/installed-python.ts';
import { pythonFile } from '../src/python-file.ts';
import { timeout, withPython } from './with-python.ts';

const run = promisify(execFile);
const never = new AbortController().signal;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vf-local-model-'));
  vi.stubEnv('VF_CACHE_DIR', folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('without a suitable Python: a typed error that says what to install', async () => {
  vi.stubEnv('VF_PYTHON', join(folder, 'no-such-python'));
  const failure = await startLocalModel().catch((error: unknown) => error);
  expect(LocalModelUnavailable.isInstance(failure)).toBe(true);
  expect(failure).toMatchObject({
    reason: 'no-python',
    hint: expect.stringContaining('VF_PYTHON'),
  });
});

test('an empty path has no Python either', async () => {
  vi.stubEnv('PATH', folder);
  vi.stubEnv('PYENV_ROOT', folder);
  await expect(findPython([10, 13], never)).rejects.toMatchObject({ reason: 'no-python' });
});

test(
  'packages that cannot be had: a typed error with what pip said',
  { timeout },
  withPython(async () => {
    vi.stubEnv('PIP_NO_INDEX', '1');
    await expect(installedPython(llamaCpp, never)).rejects.toMatchObject({
      reason: 'install-failed',
      message: expect.stringContaining('No matching distribution found for xllamacpp'),
    });
  }),
);

test(
  'an aborted installation ends with the reason',
  { timeout },
  withPython(async () => {
    const stopping = new AbortController();
    const installing = installedPython(llamaCpp, stopping.signal);
    stopping.abort(new Error('enough'));
    await expect(installing).rejects.toThrow('enough');
  }),
);

const tinyWheel = `
import sys, zipfile
about = "tiny-1.0.dist-info/"
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("tiny.py", "said = 'installed'")
    wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n")
    wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(about + "RECORD", "")
`;

test(
  'two at once install once, and a third not at all',
  { timeout },
  withPython(async (python) => {
    vi.stubEnv('PIP_NO_INDEX', '1');
    const wheel = join(folder, 'tiny-1.0-py3-none-any.whl');
    await run(python, ['-c', tinyWheel, wheel]);
    const home = join(folder, 'env');
    const install = async (): Promise<number> => {
      await run(python, [pythonFile('install.py'), home, wheel]);
      return lstatSync(join(home, 'bin')).ino;
    };
    const [first, second] = await Promise.all([install(), install()]);
    expect(second).toBe(first);
    expect(await install()).toBe(first);
    const own = join(home, 'bin', 'python');
    const { stdout } = await run(own, ['-c', 'import tiny; print(tiny.said)']);
    expect(stdout.trim()).toBe('installed');
  }),
);
