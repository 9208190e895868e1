import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Does a path, relative to the folder that is packed, fall under a pattern as `tar --exclude` takes it? It may match
 * from any part of the path on, `*` and `?` match slashes, and what is below a match goes with it.
 */
export function isExcluded(path: string, pattern: string): boolean {
  return new RegExp(`(?:^|/)${globSource(pattern.replace(/\/$/, ''))}(?:/|$)`, 's').test(path);
}

function globSource(pattern: string): string {
  return pattern.replaceAll(/\[[!^]?\]?[^\]]*\]|[\s\S]/g, (token) => {
    if (token === '*') return '.*';
    if (token === '?') return '.';
    if (token.length > 1) return token.replaceAll('\\', '\\\\').replace(/^\[!/, '[^');
    return token.replace(/[.+^${}()|[\]\\/]/, String.raw`\$&`);
  });
}

/** Removes from a folder what falls under any of the patterns. */
export async function removeExcluded(folder: string, patterns: readonly string[]): Promise<void> {
  if (patterns.length === 0) return;
  for (const path of await readdir(folder, { recursive: true })) {
    if (patterns.some((pattern) => isExcluded(path, pattern)))
      await rm(join(folder, path), { recursive: true, force: true });
  }
}
