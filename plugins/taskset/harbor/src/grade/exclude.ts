import { readdir, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';

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

/** Removes from a folder what falls under any of the patterns. Links in it are an agent's and are not followed. */
export async function removeExcluded(
  folder: string,
  patterns: readonly string[],
  inside = '',
): Promise<void> {
  if (patterns.length === 0) return;
  for (const entry of await readdir(join(folder, inside), { withFileTypes: true })) {
    const path = posix.join(inside, entry.name);
    if (patterns.some((pattern) => isExcluded(path, pattern)))
      await rm(join(folder, path), { recursive: true, force: true });
    else if (entry.isDirectory()) await removeExcluded(folder, patterns, path);
  }
}
