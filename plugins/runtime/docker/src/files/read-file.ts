import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import { extract } from 'tar-stream';
import { notFound, openArchive } from './archive.ts';

/**
 * A whole file of the box. What is larger is refused before it is read.
 * @throws VfError runtime/file_not_found, runtime/file_too_large
 */
export async function readFile(
  container: Docker.Container,
  path: string,
  { maxBytes = Infinity, signal }: { readonly maxBytes?: number; readonly signal?: AbortSignal },
): Promise<Uint8Array> {
  signal?.throwIfAborted();
  const { stat, body } = await openArchive(container, path, signal);
  try {
    if (stat.kind !== 'file') throw notFound(path, 'is no regular file');
    if (stat.size > maxBytes) throw tooLarge(path, stat.size, maxBytes);
    const chunks: Uint8Array[] = [];
    for await (const entry of body.pipe(extract())) {
      for await (const chunk of entry) chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    body.destroy();
  }
}

function tooLarge(path: string, size: number, maxBytes: number): VfError {
  const message = `${path} has ${size} bytes, more than the ${maxBytes} that were asked for`;
  return new VfError('runtime/file_too_large', message, { retryable: false });
}
