import { homedir, tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

/** `VF_CACHE_DIR`, else `~/.cache/vf`. */
function cacheDir(): string {
  const set = process.env['VF_CACHE_DIR'];
  return set ? resolve(set) : join(homedir(), '.cache', 'vf');
}

/** Where programs are installed once per machine. */
export function toolboxDir(): string {
  return join(cacheDir(), 'toolbox');
}

/** One file per box that stands, whatever folder it lies in. */
export function recordsDir(): string {
  return join(cacheDir(), 'subprocess');
}

let user: string | null = null;

/**
 * Default place of the boxes' folders. Not below the home folder: agents read instruction files and
 * look for repositories in all parents of their working directory.
 */
export function defaultBoxesDir(): string {
  user ??= userInfo().username;
  return join(tmpdir(), `vf-${user}`);
}
