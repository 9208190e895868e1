import type { IncomingMessage } from 'node:http';

/** What a request's body came to: its chunks, larger than allowed, or cut off by its sender. */
export type ReadBody = readonly Uint8Array[] | 'too-large' | 'cut';

/** Collects the bytes of a request as they came; after `limit` bytes the rest is left unread. */
export function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    // A sender that goes away closes the request; nobody hears an error event that nobody listens to.
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      chunks.length = 0;
      resolve('too-large');
    });
    request.on('end', () => resolve(chunks));
    request.on('close', () => resolve('cut'));
  });
}
