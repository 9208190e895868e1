import { stat } from 'node:fs/promises';

export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}

/** A file that everyone may run: one sent as it is needs no `chmod` in the box. */
export async function isExecutable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.isFile() && (found.mode & 0o111) === 0o111;
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
