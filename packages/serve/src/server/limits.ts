/** What a server takes on. */
export interface ServeLimits {
  /** Episodes under way at once. */
  readonly maxConcurrent: number;
  /** Requests that wait for their turn; a further one is refused. */
  readonly maxQueued: number;
  /** Bytes of one request; a larger one is refused, one of twice the size ends its connection. */
  readonly maxPayloadBytes: number;
}

export const defaultServeLimits: ServeLimits = {
  maxConcurrent: 32,
  maxQueued: 10_000,
  maxPayloadBytes: 64 * 2 ** 20,
};
