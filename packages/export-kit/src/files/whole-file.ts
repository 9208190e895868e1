import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { VfError } from '@vf/core/errors';

/**
 * Lets `write` fill a file or folder beside `path` that takes its place at the end; whatever fails, nothing is left.
 * A file that was there is replaced.
 * @throws VfError store/not_writable for a device or a pipe, whose place nothing may take
 */
export async function written<T>(path: string, write: (part: string) => Promise<T>): Promise<T> {
  const there = await stat(path).catch(() => null);
  if (there !== null && !there.isFile() && !there.isDirectory()) {
    throw new VfError('store/not_writable', `${path} is a device or a pipe`, {
      hint: 'name a file or a new folder',
    });
  }
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
