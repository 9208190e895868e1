import { VfError } from '@vf/core/errors';

export interface Interruptible {
  readonly signal: AbortSignal;
  /** What to do when there is no time left: synchronous. */
  onHardStop(cleanup: () => void): void;
  /** How a person is told that a signal has come; default: a line on stderr. */
  announceBy(say: (text: string) => void): void;
}

/**
 * Runs `work` so that the first SIGINT or SIGTERM aborts its signal, and a second one, or `graceMs` without an end,
 * frees what stands and leaves. The exit code of an interrupted run is 130 for SIGINT, 143 for SIGTERM.
 */
export async function interruptible(
  graceMs: number,
  work: (interrupt: Interruptible) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  const cleanups: (() => void)[] = [];
  let say = (text: string): void => void process.stderr.write(`${text}\n`);
  let received: NodeJS.Signals | null = null;
  let grace: NodeJS.Timeout | null = null;
  const cleanUp = (): void => {
    for (const cleanup of cleanups) cleanup();
  };
  const leave = (signal: NodeJS.Signals): never => {
    cleanUp();
    process.exit(exitCodeOf(signal));
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (received !== null) leave(signal);
    received = signal;
    say(`vf: ${signal}: cancelling, nothing new is started; again to stop hard`);
    controller.abort(new VfError('cancelled', `stopped by ${signal}`));
    grace = setTimeout(() => leave(signal), graceMs);
    grace.unref();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('exit', cleanUp);
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
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    process.off('exit', cleanUp);
    if (grace !== null) clearTimeout(grace);
  }
}

const interrupted = 130;
const terminated = 143;

function exitCodeOf(signal: NodeJS.Signals): number {
  return signal === 'SIGTERM' ? terminated : interrupted;
}

function isCancelled(error: unknown): boolean {
  return VfError.isInstance(error) && error.code === 'cancelled';
}
