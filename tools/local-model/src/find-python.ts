import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LocalModelUnavailable } from './unavailable.ts';

const run = promisify(execFile);

const NAMES = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
const FITS =
  'import sys, venv, ensurepip; sys.exit(not int(sys.argv[1]) <= sys.version_info[1] <= int(sys.argv[2]))';

/** Lowest and highest minor version of Python 3. */
type Versions = readonly [lowest: number, highest: number];

/**
 * The first Python of these versions that can make virtual environments: `VF_PYTHON` when it is set,
 * else those on the path, else those of pyenv.
 *
 * @throws LocalModelUnavailable `no-python`
 */
export async function findPython(versions: Versions, signal: AbortSignal): Promise<string> {
  const chosen = process.env['VF_PYTHON'];
  const wanted =
    versions[0] === versions[1] ? `3.${versions[0]}` : `3.${versions[0]} to 3.${versions[1]}`;
  for (const python of chosen ? [chosen] : [...NAMES, ...pyenvVersions()]) {
    signal.throwIfAborted();
    if (await fits(python, versions, signal)) return python;
  }
  throw new LocalModelUnavailable(
    'no-python',
    chosen
      ? `VF_PYTHON=${chosen} is not a Python ${wanted} with venv`
      : `no Python ${wanted} with venv on the path or in pyenv`,
    'install one (Debian: apt install python3 python3-venv) or name one in VF_PYTHON',
  );
}

async function fits(python: string, versions: Versions, signal: AbortSignal): Promise<boolean> {
  try {
    await run(python, ['-c', FITS, ...versions.map(String)], { signal, timeout: 30_000 });
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
