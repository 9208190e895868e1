import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LocalModelUnavailable } from './unavailable.ts';

const run = promisify(execFile);

const NAMES = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
const FITS =
  'import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))';

/**
 * The first Python 3.10 to 3.13 that can make virtual environments: `VF_PYTHON` when it is set,
 * else those on the path, else those of pyenv. Wheels of the engine exist for these versions.
 *
 * @throws LocalModelUnavailable `no-python`
 */
export async function findPython(signal: AbortSignal): Promise<string> {
  const chosen = process.env['VF_PYTHON'];
  for (const python of chosen ? [chosen] : [...NAMES, ...pyenvVersions()]) {
    signal.throwIfAborted();
    if (await fits(python, signal)) return python;
  }
  throw new LocalModelUnavailable(
    'no-python',
    chosen
      ? `VF_PYTHON=${chosen} is not a Python 3.10 to 3.13 with venv`
      : 'no Python 3.10 to 3.13 with venv on the path or in pyenv',
    'install one (Debian: apt install python3 python3-venv) or name one in VF_PYTHON',
  );
}

async function fits(python: string, signal: AbortSignal): Promise<boolean> {
  try {
    await run(python, ['-c', FITS], { signal, timeout: 30_000 });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

function pyenvVersions(): string[] {
  const root = process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv');
  return globSync('versions/3.1[0-3].*/bin/python3', { cwd: root }).map((path) => join(root, path));
}
