import type { Server } from 'node:http';
import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';

/** As much as a socket takes before its writer must wait. */
const highWaterMark = 64 * 1024;

/**
 * Connects to a server of this process in memory: no sockets of the system, of which two a rollout would be the first
 * to run out. When one end is closed, so is the other.
 */
export function connectTo(server: Server): Duplex {
  const [ours, theirs] = duplexPair({ highWaterMark });
  ours.once('close', () => theirs.destroy());
  theirs.once('close', () => ours.destroy());
  server.emit('connection', theirs);
  return ours;
}
