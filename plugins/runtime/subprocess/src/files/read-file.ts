import { open } from 'node:fs/promises';
import { VfError } from '@vf/core/errors';
import { isMissing } from './contained.ts';

/**
 * A whole file. What is larger is refused before it is read.
 * @throws VfError runtime/file_not_found, runtime/file_too_large
 */
export async function readFileWithin(
  path: string,
  maxBytes = Infinity,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  signal?.throwIfAborted();
  try {
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw missing(path, 'is no regular file');
      if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
      return await file.readFile({ signal });
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) throw missing(path, 'is not there', error);
    throw error;
  }
}

function missing(path: string, how: string, cause?: unknown): VfError {
  const options = { retryable: false, ...(cause === undefined ? {} : { cause }) };
  return new VfError('runtime/file_not_found', `${path} ${how}`, options);
}

function tooLarge(path: string, size: number, maxBytes: number): VfError {
  const message = `${path} has ${size} bytes, more than the ${maxBytes} that were asked for`;
  return new VfError('runtime/file_too_large', message, { retryable: false });
}
