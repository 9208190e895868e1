import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const names = ['python3', 'python3.13', 'python3.12', 'python3.11'];
const fits =
  'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))';

/** The first Python 3.11 to 3.13 on the path that can make virtual environments; null when there is none. */
export async function findPython(): Promise<string | null> {
  for (const name of names) {
    if (
      await run(name, ['-c', fits]).then(
        () => true,
        () => false,
      )
    )
      return name;
  }
  return null;
}

/**
 * A Python with packages, made once per machine below `VF_CACHE_DIR` or `~/.cache/vf`. uv does in 10 s of CPU time
 * what takes pip 90.
 * @param name of its folder; another set of packages needs another
 * @param installs arguments of `uv pip install`, one list for each call; `{folder}` is that of the environment
 */
export async function cachedVenv(
  python: string,
  name: string,
  installs: readonly (readonly string[])[],
): Promise<string> {
  const root = process.env['VF_CACHE_DIR'];
  const cache = root ? resolve(root) : join(homedir(), '.cache', 'vf');
  const place = join(cache, name);
  const installed = join(place, 'bin', 'python');
  if (existsSync(installed)) return installed;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(`${place}-`);
  const own = join(fresh, 'bin', 'python');
  await run(python, ['-m', 'venv', fresh]);
  await run(own, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', 'uv']);
  for (const given of installs) {
    const args = given.map((arg) => arg.replace('{folder}', fresh));
    await run(own, ['-m', 'uv', 'pip', 'install', '-q', '--python', own, ...args]);
  }
  // Whole or not there; another process may have been faster.
  await rename(fresh, place).catch(() => rm(fresh, { recursive: true }));
  return installed;
}
