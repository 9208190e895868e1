/** What ends when a signal aborts. */
export interface Abortable {
  abort(reason: unknown): void;
}

/**
 * Ends `target` when `signal` aborts, until it is released. Node keeps listeners of signals for a while after they were
 * removed, and with them all that they hold: this one holds nothing then.
 */
export class AbortListener {
  readonly #signal: AbortSignal;
  #target: Abortable | null;

  /** @param signal not aborted yet */
  constructor(signal: AbortSignal, target: Abortable) {
    this.#signal = signal;
    this.#target = target;
    signal.addEventListener('abort', this);
  }

  /** Called by the signal. */
  handleEvent(): void {
    const target = this.#target;
    this.release();
    target?.abort(this.#signal.reason);
  }

  /** The signal is no concern of the target any more. */
  release(): void {
    if (this.#target === null) return;
    this.#target = null;
    this.#signal.removeEventListener('abort', this);
  }
}
