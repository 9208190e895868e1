import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** What this machine keeps between runs: `VF_CACHE_DIR`, else `~/.cache/vf`. */
export function cacheDir(): string {
  const set = process.env['VF_CACHE_DIR'];
  return set ? resolve(set) : join(homedir(), '.cache', 'vf');
}
