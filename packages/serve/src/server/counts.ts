/** What a server has done since it started, and does now. */
export interface ServeCounts {
  readonly running: number;
  readonly queued: number;
  /** Episodes that were played to their end, whatever came of them. */
  readonly finished: number;
  /** Requests that could not be played. */
  readonly failed: number;
  readonly cancelled: number;
  /** Messages that are no request. */
  readonly dropped: number;
  /** Runs whose client was gone. */
  readonly lost: number;
  readonly received_bytes: number;
  readonly sent_bytes: number;
  readonly uptime_seconds: number;
}

export type Counter =
  | 'finished'
  | 'failed'
  | 'cancelled'
  | 'dropped'
  | 'lost'
  | 'received_bytes'
  | 'sent_bytes';

export class Counts {
  readonly #startedMs = Date.now();
  readonly #totals: Record<Counter, number> = {
    finished: 0,
    failed: 0,
    cancelled: 0,
    dropped: 0,
    lost: 0,
    received_bytes: 0,
    sent_bytes: 0,
  };

  add(counter: Counter, amount = 1): void {
    this.#totals[counter] += amount;
  }

  snapshot(now: { readonly running: number; readonly queued: number }): ServeCounts {
    return { ...now, ...this.#totals, uptime_seconds: (Date.now() - this.#startedMs) / 1000 };
  }
}
