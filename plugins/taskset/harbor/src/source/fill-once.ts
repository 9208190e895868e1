import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { removeTree } from '@vf/runtime-kit';

/**
 * Lets `fill` make a folder beside its place that takes it at the end; whatever fails, nothing is left. What a killed
 * process left of an earlier try goes first. Only for who holds the lock of the folder.
 */
export async function fillOnce(
  folder: string,
  fill: (part: string) => Promise<void>,
): Promise<void> {
  const part = `${folder}.${randomUUID()}.part`;
  await mkdir(dirname(part), { recursive: true });
  await removeParts(folder);
  try {
    await fill(part);
    await rename(part, folder);
  } finally {
    await removeTree(part);
  }
}

async function removeParts(folder: string): Promise<void> {
  const start = `${basename(folder)}.`;
  for (const name of await readdir(dirname(folder)))
    if (name.startsWith(start) && name.endsWith('.part'))
      await removeTree(join(dirname(folder), name));
}
