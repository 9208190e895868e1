import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import { VfError } from '@vf/core/errors';
import type { RunEvents } from '../host/run-host.ts';
import { Channel } from './channel.ts';
import type { Told } from './channel.ts';
import { readFailure } from './failure.ts';
import { pipeIndex } from './serve-as-worker.ts';

const lastWordsMs = 1_000;

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
  readonly #channel: Channel;
  readonly #played = new Map<number, Played>();
  readonly #readied = Promise.withResolvers<void>();
  #count = 0;
  #isReady = false;

  /** @param child spawned with a pipe at index 3 */
  constructor(child: ChildProcess) {
    this.#child = child;
    this.ended = new Promise((end) => {
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => {
        const how = signal ?? `exit code ${code}`;
        // What it said last may still be in the pipe.
        child.once('close', () => end(how));
        setTimeout(() => end(how), lastWordsMs).unref();
      });
    });
    this.#channel = new Channel(
      pipeOf(child),
      (told) => this.#hear(told),
      () => undefined,
    );
    const failed = this.ended.then((how) => {
      throw lost(`a worker ended before it was ready: ${how}`);
    });
    this.ready = Promise.race([this.#readied.promise, failed]);
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
    const cancel = (): void => this.#channel.tell('cancel', id);
    const played = new Promise<Uint8Array>((resolve, reject) => {
      this.#played.set(id, { events, resolve, reject });
    });
    this.#channel.tell('run', id, payload);
    signal.addEventListener('abort', cancel, { once: true });
    return played.finally(() => {
      this.#played.delete(id);
      signal.removeEventListener('abort', cancel);
    });
  }

  /** Has it close its host and end; kills it when that takes more than `ms`. */
  async close(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), ms);
    this.#channel.tell('close');
    await this.ended;
    clearTimeout(timer);
  }

  /** Leaves it alone: it frees its boxes and ends. */
  leave(): void {
    this.#channel.close();
  }

  #hear({ word, run, body }: Told): void {
    if (word === 'ready') {
      this.#isReady = true;
      this.#readied.resolve();
      return;
    }
    const played = this.#played.get(run);
    if (word === 'sampled') played?.events.sampled();
    else if (word === 'noted') played?.events.noted(body.toString());
    else if (word === 'delta') played?.events.delta(body);
    else if (word === 'reply') played?.resolve(body);
    else played?.reject(readFailure(body));
  }

  #end(how: string): void {
    this.#isReady = false;
    for (const { reject } of this.#played.values())
      reject(lost(`the process that played the rollout ended: ${how}`));
  }
}

function pipeOf(child: ChildProcess): Duplex {
  const pipe = child.stdio[pipeIndex];
  if (pipe instanceof Duplex) return pipe;
  throw new TypeError('a worker needs a pipe at index 3');
}

function lost(message: string): VfError {
  return new VfError('worker/lost', message);
}
