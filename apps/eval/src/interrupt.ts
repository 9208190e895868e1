import { VfError } from '@vf/core/errors';

export interface Interruptible {
  readonly signal: AbortSignal;
  /** What to do when there is no time left: synchronous. */
  onHardStop(cleanup: () => void): void;
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
  let received: NodeJS.Signals | null = null;
  let grace: NodeJS.Timeout | null = null;
  const leave = (signal: NodeJS.Signals): never => {
    for (const cleanup of cleanups) cleanup();
    process.exit(exitCodeOf(signal));
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (received !== null) leave(signal);
    received = signal;
    process.stderr.write(
      `\nvf: ${signal}: cancelling, nothing new is started; again to stop hard\n`,
    );
    controller.abort(new VfError('cancelled', `stopped by ${signal}`));
    grace = setTimeout(() => leave(signal), graceMs);
    grace.unref();
  };
  const crash = (): void => {
    for (const cleanup of cleanups) cleanup();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('exit', crash);
  try {
    const code = await work({
      signal: controller.signal,
      onHardStop: (cleanup) => cleanups.push(cleanup),
    });
    return received === 'SIGTERM' && code === interrupted ? terminated : code;
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    process.off('exit', crash);
    if (grace !== null) clearTimeout(grace);
  }
}

const interrupted = 130;
const terminated = 143;

function exitCodeOf(signal: NodeJS.Signals): number {
  return signal === 'SIGTERM' ? terminated : interrupted;
}
