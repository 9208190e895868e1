/** What plays the episodes that a server is asked for: this process, or several. */
export interface RunHost {
  /**
   * Plays one request. `emit` gets msgpack of each delta, in order; the last comes before the reply does.
   * @returns msgpack of the reply
   * @throws VfError when the request cannot be played, `cancelled` when `signal` fired
   */
  run(
    payload: Uint8Array,
    emit: (delta: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
  /** Frees every box at once; for the moment before the process must go. */
  cleanup(): void;
  close(): Promise<void>;
}
