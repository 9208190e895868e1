import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Says that all in a folder is of this example, which may remove it. */
const mark = '.train-tiny';

/**
 * A new folder, in place of that of an earlier training if there is one.
 * @throws Error for a folder that holds anything else
 */
export async function emptyFolder(path: string): Promise<void> {
  const held = await readdir(path).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (held.length > 0 && !held.includes(mark)) {
    throw new Error(`${path} is no folder of an earlier training: name a new one with --out`);
  }
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  await writeFile(join(path, mark), '');
}
