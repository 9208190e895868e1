import { Readable } from 'node:stream';

/** Below this, one copy costs less than writing chunk by chunk. */
const joinBelow = 64 * 1024;

/** A list of chunks as undici takes it: joined when small, else a stream over the chunks; null when empty. */
export function requestBody(
  chunks: readonly Uint8Array[],
): { readonly data: Buffer | Readable; readonly length: number } | null {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length === 0) return null;
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) {
    return { data: Buffer.from(first.buffer, first.byteOffset, first.byteLength), length };
  }
  if (length <= joinBelow) return { data: Buffer.concat(chunks, length), length };
  return { data: Readable.from(chunks, { objectMode: false }), length };
}
