import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from './disk-error.ts';

/** Parts that are being written. */
const underway = new Set<string>();

/** A process that leaves in the middle of a write takes its parts with it; one that is killed cannot. */
function removeUnderway(): void {
  for (const part of underway) rmSync(part, { force: true });
}

/**
 * Lets `write` make a file beside `path` that takes its place at the end; whatever fails, nothing is left.
 * @throws what `write` and the system throw
 */
export async function replace(
  path: string,
  write: (part: string) => Promise<unknown>,
): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`;
  if (underway.size === 0) process.on('exit', removeUnderway);
  underway.add(part);
  try {
    await write(part);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    underway.delete(part);
    if (underway.size === 0) process.off('exit', removeUnderway);
  }
}

const madeByReplace = /\.[\da-f]{8}\.part$/;

/**
 * Removes what `replace` left in a folder when its process was killed.
 * @param isOurs of the name of the file that a part was of: one that nobody else replaces
 */
export async function removeParts(dir: string, isOurs: (name: string) => boolean): Promise<void> {
  const entries = (await orMissing(() => readdir(dir, { withFileTypes: true }))) ?? [];
  for (const entry of entries) {
    const whole = entry.name.replace(madeByReplace, '');
    if (entry.isFile() && whole !== entry.name && isOurs(whole))
      await rm(join(dir, entry.name), { force: true });
  }
}
