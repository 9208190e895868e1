import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';

/** Carries both ways; each way ends by itself, and a break on one side breaks the other. */
export function joinStreams(one: Duplex, other: Duplex): void {
  if (one.destroyed || other.destroyed) {
    one.destroy();
    other.destroy();
    return;
  }
  const done = (): void => {};
  pipeline(one, other, done);
  pipeline(other, one, done);
}
