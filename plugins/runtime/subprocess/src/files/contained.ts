import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { VfError } from '@vf/core/errors';

/** Does `path` lie in `folder`, or is it the folder itself? Both absolute, no links followed. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * The real path behind `path`, which may not exist yet. A link that leads out of `folder` is refused: what runs in a
 * box must not make us read or write elsewhere.
 * @param base what a relative path starts from
 * @throws VfError runtime/bad_archive
 */
export async function containedPath(folder: string, base: string, path: string): Promise<string> {
  const wanted = resolve(base, path);
  const real = await realPathOf(wanted);
  if (isWithin(folder, real)) return real;
  throw new VfError('runtime/bad_archive', `${path} leads out of the box's folder ${folder}`, {
    hint: 'use a path relative to the workdir, or one below runtime.home',
    retryable: false,
  });
}

/** Resolves links in that part of the path which exists. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // A link to nowhere is no new name: writing to it would write where it points.
    if (await isLink(path)) return realPathOf(resolve(dirname(path), await readlink(path)));
    return join(await realPathOf(dirname(path)), basename(path));
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
