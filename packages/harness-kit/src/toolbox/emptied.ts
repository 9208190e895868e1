import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes what another way of installing left in a folder. */
export async function emptied(dir: string): Promise<void> {
  for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true });
}
