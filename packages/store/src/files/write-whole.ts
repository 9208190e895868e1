import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { writeError } from './disk-error.ts';

/**
 * Replaces a file: readers see the old or the new content, never a part, also after a power loss.
 * @throws VfError store/disk_full, store/not_writable
 */
export async function writeWhole(path: string, content: string): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    const file = await open(part, 'wx');
    try {
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw writeError(error, path);
  }
}
