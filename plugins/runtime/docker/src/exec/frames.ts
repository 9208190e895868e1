/** Payload of one frame of an attached stream. */
export interface Frame {
  readonly from: 'stdout' | 'stderr';
  readonly payload: Buffer;
}

const headerBytes = 8;

/**
 * Takes apart what the engine sends for a program without a terminal: frames of a type byte, three zeros, a length
 * as 32 bits (big endian), and the payload. A payload is passed on as it comes, not gathered.
 * Source: Docker Engine API, "Attach to a container", stream format.
 */
export async function* framesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let header: Buffer = Buffer.alloc(0);
  let left = 0;
  for await (const chunk of source) {
    for (let rest: Buffer = chunk; rest.length > 0;) {
      if (left === 0) {
        const missing = headerBytes - header.length;
        header = Buffer.concat([header, rest.subarray(0, missing)]);
        rest = rest.subarray(missing);
        if (header.length === headerBytes) left = header.readUInt32BE(4);
        if (header.length < headerBytes || left > 0) continue;
        header = Buffer.alloc(0);
        continue;
      }
      const payload = rest.subarray(0, left);
      yield { from: header[0] === 2 ? 'stderr' : 'stdout', payload };
      rest = rest.subarray(payload.length);
      left -= payload.length;
      if (left === 0) header = Buffer.alloc(0);
    }
  }
}
