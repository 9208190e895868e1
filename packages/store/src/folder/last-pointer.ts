import { lstat, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { orMissing } from '../files/disk-error.ts';
import { replace } from '../files/replace.ts';

/** The run folder that `<output_dir>/last` points to; null when there is no pointer. */
export async function lastRun(outputDir: string): Promise<string | null> {
  const path = join(outputDir, 'last');
  const stats = await orMissing(() => lstat(path));
  if (stats === null || stats.isDirectory()) return null;
  const target = stats.isSymbolicLink()
    ? await readlink(path)
    : (await readFile(path, 'utf8')).trim();
  return resolve(outputDir, target);
}

/**
 * Makes `last` point to a run: a symbolic link, or a file with the path where there are none. A folder of
 * that name stays. Nothing is thrown: a run is not refused for want of a pointer.
 */
export async function pointLastTo(dir: string, outputDir: string): Promise<void> {
  const path = join(outputDir, 'last');
  const target = relative(outputDir, dir);
  await replace(path, (part) =>
    symlink(target, part, 'dir').catch(() => writeFile(part, `${target}\n`)),
  ).catch(() => undefined);
}
