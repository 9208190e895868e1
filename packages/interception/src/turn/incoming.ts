import type { Dialect } from '@vf/core';

/** A request of an agent, unpacked, its secret taken out. */
export interface Incoming {
  readonly dialect: Dialect;
  readonly method: string;
  /** As the route matched it, with its query. */
  readonly path: string;
  /** Raw pairs. */
  readonly headers: readonly string[];
  readonly body: readonly Uint8Array[];
}
