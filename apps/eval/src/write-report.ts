import { resolve } from 'node:path';
import { VfError } from '@vf/core/errors';
import { writeWhole } from '@vf/store';

/**
 * Writes a file that another program reads: whole or not at all.
 * @throws VfError store/not_writable, store/disk_full
 */
export async function writeReport(path: string, content: string): Promise<void> {
  try {
    await writeWhole(resolve(path), content);
  } catch (error) {
    if (!VfError.isInstance(error) || error.code !== 'store/not_writable') throw error;
    throw new VfError('store/not_writable', error.message, {
      hint: 'name a file in a folder that is there',
      cause: error,
    });
  }
}
