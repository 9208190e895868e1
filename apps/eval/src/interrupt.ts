import { constants } from 'node:os';
import { VfError } from '@vf/core/errors';
import { endIsTold } from './early-end.ts';

export interface Interruptible {
  readonly signal: AbortSignal;
  /** What to do when there is no time left: synchronous; a sentence is told before the process ends. */
  onHardStop(cleanup: () => string | null | void): void;
  /** How a person is told that a signal has come; default: a line on stderr. */
  announceBy(say: (text: string) => void): void;
}

/**
 * Runs `work` so that the first SIGINT, SIGTERM or SIGHUP aborts its signal, and a second one (200 ms later or more), or
 * `graceMs` without an end, frees what stands and leaves. The exit code of an interrupted run is 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.
 */
export async function interruptible(
  graceMs: number,
  work: (interrupt: Interruptible) => Promise<number>,
): Promise<number> {
  const watch = new SignalWatch(graceMs);
  watch.begin();
  try {
    const code = await work(watch);
    return code === interrupted ? (watch.exitCode ?? code) : code;
  } catch (error) {
    if (watch.exitCode === null || !isCancelled(error)) throw error;
    return watch.exitCode;
  } finally {
    watch.end();
  }
}

class SignalWatch implements Interruptible {
  readonly #graceMs: number;
  readonly #controller = new AbortController();
  readonly #cleanups: (() => string | null | void)[] = [];
  #say = (text: string): void => void process.stderr.write(`${text}\n`);
  #received: { readonly name: NodeJS.Signals; readonly atMs: number } | null = null;
  #grace: NodeJS.Timeout | null = null;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** null: no signal has come. */
  get exitCode(): number | null {
    return this.#received === null ? null : exitCodeOf(this.#received.name);
  }

  onHardStop(cleanup: () => string | null | void): void {
    this.#cleanups.push(cleanup);
  }

  announceBy(say: (text: string) => void): void {
    this.#say = say;
  }

  begin(): void {
    for (const name of signals) process.on(name, this.#onSignal);
    // Before the guard around the whole command, which then has nothing to say.
    process.prependListener('exit', this.#onExit);
    process.on('unhandledRejection', this.#onStray);
  }

  end(): void {
    // Once one has come its twin may still do: by default it would kill the process on its way out.
    if (this.#received === null) for (const name of signals) process.off(name, this.#onSignal);
    process.off('exit', this.#onExit);
    process.off('unhandledRejection', this.#onStray);
    if (this.#grace !== null) clearTimeout(this.#grace);
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    const nowMs = performance.now();
    if (this.#received !== null) {
      if (nowMs - this.#received.atMs >= atOnceMs) this.#leave(name);
      return;
    }
    this.#received = { name, atMs: nowMs };
    this.#say(`vf: ${name}: cancelling, nothing new is started; again to stop hard`);
    this.#controller.abort(new VfError('cancelled', `stopped by ${name}`));
    this.#grace = setTimeout(() => this.#leave(name), this.#graceMs);
    this.#grace.unref();
  };

  #leave(name: NodeJS.Signals): never {
    this.#cleanUp();
    process.exit(exitCodeOf(name));
  }

  #cleanUp(): void {
    for (const cleanup of this.#cleanups.splice(0)) {
      const told = cleanup();
      if (typeof told === 'string') process.stderr.write(`vf: ${told}\n`);
    }
  }

  readonly #onExit = (): void => {
    this.#cleanUp();
    endIsTold();
    if (this.#received !== null) return;
    // Only a hook that calls process.exit gets here: what was planned has not come to its end.
    process.exitCode = 1;
    process.stderr.write(
      'vf: the process ended before the run did: process.exit or an uncaught error in a hook or a plugin\n',
    );
  };

  readonly #onStray = (reason: unknown): void => {
    const words = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    this.#say(`vf: a promise that nobody waits for was rejected, in a hook or a plugin: ${words}`);
  };
}

/** Signals so close are one: timeout(1) sends its own to the process and to its group, and so may a pipeline of wrappers. */
const atOnceMs = 200;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const interrupted = 130;

/** As shells tell it: 128 and the signal's number. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

function isCancelled(error: unknown): boolean {
  return VfError.isInstance(error) && error.code === 'cancelled';
}
