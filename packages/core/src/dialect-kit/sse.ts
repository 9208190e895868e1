const encoder = new TextEncoder();

/** Bytes of one server-sent event; `data` is written as JSON, on one line. */
export function sseBytes(name: string | null, data: unknown): Uint8Array {
  const json = JSON.stringify(data);
  return encoder.encode(name === null ? `data: ${json}\n\n` : `event: ${name}\ndata: ${json}\n\n`);
}

/** Bytes of several pieces, one after another. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
