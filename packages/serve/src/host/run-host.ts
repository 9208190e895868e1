/** What comes of a run while it is played. */
export interface RunEvents {
  /** msgpack of a delta, in order; the last comes before the reply does. */
  delta(body: Uint8Array): void;
  /** A model has answered: played anew it would say something else. */
  sampled(): void;
  /** What the client of the run cannot do; others may have said the same. */
  noted(note: string): void;
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
  /** Boxes that stand or are being made in this process; those of others it does not know. */
  readonly boxes: number;
  /** Frees every box at once; for the moment before the process must go. @returns how many are left; null: not known */
  cleanup(): number | null;
  close(): Promise<void>;
}
