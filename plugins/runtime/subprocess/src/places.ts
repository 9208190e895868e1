import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '@vf/runtime-kit';

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
