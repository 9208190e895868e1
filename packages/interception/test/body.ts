/** A body's text cut into chunks at these offsets. */
export function chunked(text: string | Buffer, cuts: readonly number[] = []): Buffer[] {
  const bytes = Buffer.from(text);
  const offsets = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...offsets].map((start, index) =>
    bytes.subarray(start, offsets[index] ?? bytes.length),
  );
}

export function textOfBody(body: readonly Uint8Array[]): string {
  return Buffer.concat(body).toString('utf8');
}
