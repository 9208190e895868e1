import { open } from 'node:fs/promises';
import { writeError } from './disk-error.ts';
import { replace } from './replace.ts';

/**
 * Replaces a file: readers see the old or the new content, never a part, also after a power loss.
 * @throws VfError store/disk_full, store/not_writable
 */
export async function writeWhole(path: string, content: string): Promise<void> {
  try {
    await replace(path, async (part) => {
      const file = await open(part, 'wx');
      try {
        await file.writeFile(content);
        await file.datasync();
      } finally {
        await file.close();
      }
    });
  } catch (error) {
    throw writeError(error, path);
  }
}
