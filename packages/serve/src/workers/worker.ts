import type { ChildProcess } from 'node:child_process';
import { VfError } from '@vf/core/errors';
import type { RunEvents } from '../host/run-host.ts';
import type { FromWorker, ToWorker } from './messages.ts';

interface Played {
  readonly events: RunEvents;
  readonly resolve: (reply: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** One process that plays, as the server sees it. */
export class Worker {
  /** Rejects when the process ends before it is ready. */
  readonly ready: Promise<void>;
  /** How the process ended. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #played = new Map<number, Played>();
  #count = 0;
  #isReady = false;

  /** @param child forked with an IPC channel of serialization `advanced` */
  constructor(child: ChildProcess) {
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    child.on('message', (message) => {
      if ((message as FromWorker).type === 'ready') {
        this.#isReady = true;
        resolve();
      } else this.#hear(message as FromWorker);
    });
    this.ended = new Promise((end) => {
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    });
    this.ready = Promise.race([
      promise,
      this.ended.then((how) => {
        throw lost(`a worker ended before it was ready: ${how}`);
      }),
    ]);
    void this.ended.then((how) => this.#end(how));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Can it be given a run? */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Runs under way. */
  get load(): number {
    return this.#played.size;
  }

  /** @throws VfError `worker/lost` when the process ends before the run; what the host of the worker throws */
  run(payload: Uint8Array, events: RunEvents, signal: AbortSignal): Promise<Uint8Array> {
    const id = ++this.#count;
    const cancel = (): void => this.#tell({ type: 'cancel', id });
    const played = new Promise<Uint8Array>((resolve, reject) => {
      this.#played.set(id, { events, resolve, reject });
    });
    this.#tell({ type: 'run', id, payload });
    signal.addEventListener('abort', cancel, { once: true });
    return played.finally(() => {
      this.#played.delete(id);
      signal.removeEventListener('abort', cancel);
    });
  }

  /** Has it close its host and end; kills it when that takes more than `ms`. */
  async close(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), ms);
    this.#tell({ type: 'close' });
    await this.ended;
    clearTimeout(timer);
  }

  /** Leaves it alone: it frees its boxes and ends. */
  leave(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  #hear(message: FromWorker): void {
    if (message.type === 'ready') return;
    const run = this.#played.get(message.id);
    if (run === undefined) return;
    if (message.type === 'sampled') run.events.sampled();
    else if (message.type === 'delta') run.events.delta(message.body);
    else if (message.type === 'reply') run.resolve(message.body);
    else run.reject(new VfError(message.code, message.message));
  }

  #tell(message: ToWorker): void {
    // What cannot be told any more is answered when the process has ended.
    if (this.#child.connected) this.#child.send(message, undefined, {}, () => undefined);
  }

  #end(how: string): void {
    this.#isReady = false;
    for (const { reject } of this.#played.values())
      reject(lost(`the process that played the rollout ended: ${how}`));
  }
}

function lost(message: string): VfError {
  return new VfError('worker/lost', message);
}
