/** A request's bytes for undici: one buffer, or a list that it writes chunk by chunk, uncopied; null when empty. */
export interface RequestBody {
  readonly data: Buffer | readonly Uint8Array[];
  readonly length: number;
}

export function requestBody(chunks: readonly Uint8Array[]): RequestBody | null {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  if (length === 0) return null;
  const [first] = chunks;
  if (chunks.length > 1 || first === undefined) return { data: chunks, length };
  return { data: Buffer.from(first.buffer, first.byteOffset, first.byteLength), length };
}
