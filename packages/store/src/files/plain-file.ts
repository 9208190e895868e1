import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { VfError } from '@vf/core/errors';
import { errnoOf, orMissing, readError } from './disk-error.ts';

/** Without it the open of a pipe would wait for its other end. */
const withoutWaiting = constants.O_NONBLOCK ?? 0;

/**
 * Opens a file of a run to read; null when it is not there.
 * @throws VfError store/damaged when it may not be read, or is a folder, a device or a pipe
 */
export async function openToRead(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | withoutWaiting;
  const file = await orMissing(() => open(path, flags));
  if (file === null) return null;
  const kind = otherKind(await file.stat());
  if (kind === null) return file;
  await file.close();
  throw notAFile('store/damaged', path, kind);
}

/**
 * Opens a file of a run to read and write it, or makes an empty one.
 * @throws VfError store/not_writable when it is a folder, a device or a pipe; what the system throws
 */
export async function openToWrite(path: string): Promise<{ file: FileHandle; size: number }> {
  const flags = constants.O_RDWR | constants.O_CREAT | withoutWaiting;
  const file = await open(path, flags, 0o644).catch((error: unknown) => {
    throw errnoOf(error) === 'EISDIR' ? notAFile('store/not_writable', path, 'a folder') : error;
  });
  const stats = await file.stat();
  const kind = otherKind(stats);
  if (kind === null) return { file, size: stats.size };
  await file.close();
  throw notAFile('store/not_writable', path, kind);
}

/** The text of a file of a run; null when it is not there. @throws VfError store/damaged */
export async function readText(path: string): Promise<string | null> {
  const file = await openToRead(path);
  if (file === null) return null;
  try {
    return await file.readFile('utf8');
  } catch (error) {
    throw readError(error, path);
  } finally {
    await file.close();
  }
}

function notAFile(
  code: 'store/damaged' | 'store/not_writable',
  path: string,
  kind: string,
): VfError {
  return new VfError(code, `${path} is ${kind}, not a file`, {
    hint: 'move it away, and put the file back that was there',
  });
}

function otherKind(stats: Stats): string | null {
  if (stats.isFile()) return null;
  if (stats.isDirectory()) return 'a folder';
  return stats.isFIFO() || stats.isSocket() ? 'a pipe' : 'a device';
}
