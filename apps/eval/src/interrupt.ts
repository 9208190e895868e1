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
  const controller = new AbortController();
  const cleanups: (() => string | null | void)[] = [];
  let say = (text: string): void => void process.stderr.write(`${text}\n`);
  let received: NodeJS.Signals | null = null;
  let grace: NodeJS.Timeout | null = null;
  const cleanUp = (): void => {
    for (const cleanup of cleanups.splice(0)) {
      const told = cleanup();
      if (typeof told === 'string') process.stderr.write(`vf: ${told}\n`);
    }
  };
  const leave = (signal: NodeJS.Signals): never => {
    cleanUp();
    process.exit(exitCodeOf(signal));
  };
  let receivedAt = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (received !== null) {
      if (performance.now() - receivedAt < atOnceMs) return;
      leave(signal);
    }
    received = signal;
    receivedAt = performance.now();
    say(`vf: ${signal}: cancelling, nothing new is started; again to stop hard`);
    controller.abort(new VfError('cancelled', `stopped by ${signal}`));
    grace = setTimeout(() => leave(signal), graceMs);
    grace.unref();
  };
  const onExit = (): void => {
    cleanUp();
    endIsTold();
    if (received !== null) return;
    // Only a hook that calls process.exit gets here: what was planned has not come to its end.
    process.exitCode = 1;
    process.stderr.write(
      'vf: the process ended before the run did: process.exit or an uncaught error in a hook or a plugin\n',
    );
  };
  const onStray = (reason: unknown): void => {
    const words = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    say(`vf: a promise that nobody waits for was rejected, in a hook or a plugin: ${words}`);
  };
  for (const signal of signals) process.on(signal, onSignal);
  // Before the guard around the whole command, which then has nothing to say.
  process.prependListener('exit', onExit);
  process.on('unhandledRejection', onStray);
  try {
    const code = await work({
      signal: controller.signal,
      onHardStop: (cleanup) => cleanups.push(cleanup),
      announceBy: (other) => {
        say = other;
      },
    });
    return code === interrupted && received !== null ? exitCodeOf(received) : code;
  } catch (error) {
    if (received === null || !isCancelled(error)) throw error;
    return exitCodeOf(received);
  } finally {
    // Once one has come its twin may still do: by default it would kill the process on its way out.
    if (received === null) for (const signal of signals) process.off(signal, onSignal);
    process.off('exit', onExit);
    process.off('unhandledRejection', onStray);
    if (grace !== null) clearTimeout(grace);
  }
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
