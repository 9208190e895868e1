import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where the engine and the state of a background server live: below `VF_CACHE_DIR` or
 * `~/.cache/vf`.
 */
export function cacheDir(): string {
  const root = process.env['VF_CACHE_DIR'];
  return join(root ? resolve(root) : join(homedir(), '.cache', 'vf'), 'local-model');
}
