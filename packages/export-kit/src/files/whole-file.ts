import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Lets `write` fill a file or folder beside `path` that takes its place at the end; whatever fails, nothing is left.
 * A file that was there is replaced.
 */
export async function written<T>(path: string, write: (part: string) => Promise<T>): Promise<T> {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.part`);
  try {
    const result = await write(part);
    await rename(part, path);
    return result;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}
