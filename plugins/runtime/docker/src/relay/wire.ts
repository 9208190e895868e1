import { Duplex } from 'node:stream';
import { framesOf } from '../exec/frames.ts';

const mostWords = 2000;

/**
 * The standard streams of a helper as one stream. It never errors, whatever becomes of the helper or the engine: Node
 * would hand an error on to where nobody listens any more.
 * @param ended called when the helper is there no longer, with its last words on its standard error
 */
export function wireOver(socket: Duplex, ended: (words: string) => void): Duplex {
  let wanted = Promise.withResolvers<void>();
  const wire = new Duplex({
    read: () => wanted.resolve(),
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, () => done()),
    final: (done) => void socket.end(() => done()),
    destroy: (_error, done) => {
      socket.destroy();
      wanted.resolve();
      done(null);
    },
  });
  const carry = async (): Promise<void> => {
    let words = '';
    try {
      for await (const { from, payload } of framesOf(socket)) {
        wanted = Promise.withResolvers();
        if (from === 'stdout' && !wire.push(payload)) await wanted.promise;
        if (from === 'stderr' && words.length < mostWords) words += String(payload);
      }
    } catch {
      // The engine cut it, or we did.
    }
    ended(words.trim());
  };
  socket.on('error', () => {});
  void carry();
  return wire;
}
