/** What comes of a run while it is played. */
export interface RunEvents {
  /** msgpack of a delta, in order; the last comes before the reply does. */
  delta(body: Uint8Array): void;
  /** A model has answered: played anew it would say something else. */
  sampled(): void;
}

/** What plays the episodes that a server is asked for: this process, or several. */
export interface RunHost {
  /**
   * Plays one request.
   * @returns msgpack of the reply
   * @throws VfError when the request cannot be played, `cancelled` when `signal` fired, `worker/lost`
   */
  run(payload: Uint8Array, events: RunEvents, signal: AbortSignal): Promise<Uint8Array>;
  /** What `metrics` says of it, by name. */
  counts(): Readonly<Record<string, number>>;
  /** Frees every box at once; for the moment before the process must go. */
  cleanup(): void;
  close(): Promise<void>;
}
