import type { Readable } from 'node:stream';

/**
 * Milliseconds in which bytes are taken together: each event costs more alone, and nobody sees the difference. An engine
 * that is slower than this is heard at each token.
 */
const together = 40;

/**
 * The bytes of a stream; those that arrive within some milliseconds come together. Chunks are heard of as events: to
 * wait for each would cost more than all that is done with it.
 * @throws what the stream fails with
 */
export async function* arrivals(body: Readable): AsyncGenerator<Buffer> {
  let arrived: Buffer[] = [];
  let taken = 0;
  let isDue = false;
  let wake = (): void => undefined;
  const end: { isOver: boolean; error: Error | null } = { isOver: false, error: null };
  const finish = (error: Error | null): void => {
    if (!end.isOver) Object.assign(end, { isOver: true, error });
    wake();
  };
  body.on('data', (chunk: Buffer) => {
    arrived.push(chunk);
    if (isDue || performance.now() - taken < together) return;
    isDue = true;
    wake();
  });
  body.on('end', () => finish(null));
  body.on('error', finish);
  body.on('close', () => {
    if (!end.isOver) finish(new Error('the connection closed in mid-answer'));
  });
  try {
    for (let isLast = false; !isLast;) {
      if (!isDue && !end.isOver) await new Promise<void>((resolve) => (wake = resolve));
      isLast = end.isOver;
      isDue = false;
      taken = performance.now();
      const batch = arrived;
      arrived = [];
      if (batch.length > 0) yield Buffer.concat(batch);
    }
    if (end.error !== null) throw end.error;
  } finally {
    body.destroy();
  }
}
