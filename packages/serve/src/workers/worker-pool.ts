import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { RunEvents, RunHost } from '../host/run-host.ts';
import { Rehearsal } from './rehearsal.ts';
import { Worker } from './worker.ts';

export interface WorkerPoolOptions {
  /** How many processes play. */
  readonly workers: number;
  /** Spawns a process that calls `serveAsWorker`, with a pipe at index 3. */
  readonly start: () => ChildProcess;
  /** A worker died: what it left behind can be swept. */
  readonly onLost?: () => void;
  /** Milliseconds that a worker gets to close. */
  readonly grace: number;
  readonly log: Log;
}

/**
 * Plays episodes in several processes, each in the one that has the fewest. One that dies is started again; its runs are
 * played anew where no model had answered yet, once, and fail with `worker/lost` where one had.
 * @throws VfError worker/lost when one ends before it is ready
 */
export async function startWorkerPool(options: WorkerPoolOptions): Promise<RunHost> {
  const pool = new WorkerPool(options);
  try {
    await pool.start();
  } catch (error) {
    await pool.close();
    throw error;
  }
  return pool;
}

const shortestPauseMs = 500;
const longestPauseMs = 30_000;
/** Times that a run is given to a worker. */
const attempts = 2;

class WorkerPool implements RunHost {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Set<Worker>();
  readonly #closing = new AbortController();
  #waiting: (() => void)[] = [];
  #lost = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const first = Array.from({ length: this.#options.workers }, () => this.#fork());
    await Promise.all(first.map(({ ready }) => ready));
    for (const worker of first) void this.#keep(worker);
  }

  async run(payload: Uint8Array, events: RunEvents, signal: AbortSignal): Promise<Uint8Array> {
    for (let left = attempts; ;) {
      let worker = this.#leastBusy();
      while (worker === null) {
        await this.#aReadyOne(signal);
        worker = this.#leastBusy();
      }
      const rehearsal = new Rehearsal(events);
      left--;
      try {
        return await worker.run(payload, rehearsal, signal);
      } catch (error) {
        const isLost = VfError.isInstance(error) && error.code === 'worker/lost';
        if (!isLost || left === 0 || rehearsal.isSampled || signal.aborted) throw error;
        rehearsal.discard();
        this.#options.log.warn('a run is played anew', { reason: error.message });
      }
    }
  }

  counts(): Readonly<Record<string, number>> {
    const ready = [...this.#workers].filter(({ isReady }) => isReady);
    return { workers: ready.length, workers_lost: this.#lost };
  }

  get boxes(): number {
    return 0;
  }

  /** Each worker frees its own when the server is gone, and says what it cannot. */
  cleanup(): number | null {
    this.#closing.abort();
    const isBusy = [...this.#workers].some(({ load }) => load > 0);
    for (const worker of this.#workers) worker.leave();
    return isBusy ? null : 0;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#workers].map((worker) => worker.close(this.#options.grace)));
  }

  #fork(): Worker {
    const worker = new Worker(this.#options.start());
    this.#workers.add(worker);
    void worker.ended.then(() => this.#workers.delete(worker));
    void worker.ready.then(
      () => this.#wake(),
      () => undefined,
    );
    return worker;
  }

  /** Starts another one when this one dies, and so on; slower and slower while none becomes ready. */
  async #keep(first: Worker): Promise<void> {
    const { signal } = this.#closing;
    for (let worker = first, pauseMs = 0; ; worker = this.#fork()) {
      const isReady = await worker.ready.then(
        () => true,
        () => false,
      );
      const how = await worker.ended;
      if (signal.aborted) return;
      this.#lost++;
      this.#options.log.error('a worker died', { pid: worker.pid, how });
      this.#options.onLost?.();
      pauseMs = isReady ? 0 : Math.min(longestPauseMs, Math.max(shortestPauseMs, 2 * pauseMs));
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  #leastBusy(): Worker | null {
    const [first, ...others] = [...this.#workers].filter(({ isReady }) => isReady);
    if (first === undefined) return null;
    return others.reduce((least, other) => (other.load < least.load ? other : least), first);
  }

  #aReadyOne(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
