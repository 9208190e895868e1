import { VfError } from '@vf/core/errors';

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** The process or the system has too many files open: says nothing about the one that was to be read. */
const crowded = new Set(['EMFILE', 'ENFILE']);

/** The system's code of an error (`ENOENT`); null when it has none. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/**
 * Runs `read`; null when the file or folder is not there.
 * @throws VfError store/damaged when the system refuses it; EMFILE and ENFILE as they are
 */
export async function orMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === null || crowded.has(code)) throw error;
    const { path } = error as NodeJS.ErrnoException;
    throw path === undefined ? error : readError(error, path);
  }
}

/** A failed read as store/damaged; an error of ours stays what it is. */
export function readError(error: unknown, path: string): VfError {
  if (VfError.isInstance(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new VfError('store/damaged', `${path} cannot be read: ${reason}`, {
    cause: error,
    hint: 'change its permissions, or put it back from a copy',
  });
}

/** A failed write as store/disk_full or store/not_writable; an error of ours stays what it is. */
export function writeError(error: unknown, path: string): VfError {
  if (VfError.isInstance(error)) return error;
  const code = errnoOf(error);
  if (code !== null && full.has(code)) {
    return new VfError('store/disk_full', `no space left for ${path} (${code})`, {
      cause: error,
      hint: 'free some space, then vf resume; what is complete is kept',
    });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new VfError('store/not_writable', `${path} cannot be written: ${reason}`, {
    cause: error,
    hint: 'give another folder with --output-dir, or change its permissions',
  });
}
