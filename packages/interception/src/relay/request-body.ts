import { Readable } from 'node:stream';

/** Up to here one copy costs less than a stream over the chunks. */
const joinUpTo = 256 * 1024;

/** A list of chunks as undici takes it: joined when small, else a stream; null when empty. */
export function requestBody(
  chunks: readonly Uint8Array[],
): { readonly data: Buffer | Readable; readonly length: number } | null {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length === 0) return null;
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) {
    return { data: Buffer.from(first.buffer, first.byteOffset, first.byteLength), length };
  }
  if (length <= joinUpTo) return { data: Buffer.concat(chunks, length), length };
  return { data: streamOf(chunks), length };
}

function streamOf(chunks: readonly Uint8Array[]): Readable {
  let next = 0;
  return new Readable({
    read() {
      let isTaken = true;
      while (isTaken) isTaken = this.push(chunks[next++] ?? null);
    },
  });
}
