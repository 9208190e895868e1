import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder with all in it, folders without write permission (module caches) too. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    if (!isDenied(error)) throw error;
    await openUp(path);
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function openUp(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openUp(join(path, name));
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:EACCES|EPERM)$/.test(String(error.code));
}
