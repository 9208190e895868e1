import type { ChildProcess } from 'node:child_process';

/** How the program itself ended; what it started may live on. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Resolves when the program has ended. */
export function endingOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

const quietMs = 100;

/**
 * Resolves when the program's pipes are closed, or, once it has ended, when nothing came through them for a while:
 * something it left in the background may hold them for ever.
 */
export async function drained(child: ChildProcess): Promise<void> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await Promise.race([closed, endingOf(child).then(() => quiet(child))]);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
}

function quiet(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let isQuiet = true;
    // A timer that fires late, after the loop was busy, fires before the pipes are read: they get one more look.
    const timer = setTimeout(() => {
      isQuiet = true;
      setImmediate(() => setImmediate(() => (isQuiet ? done() : timer.refresh())));
    }, quietMs);
    const again = (): void => {
      isQuiet = false;
      timer.refresh();
    };
    function done(): void {
      clearTimeout(timer);
      child.stdout?.off('data', again);
      child.stderr?.off('data', again);
      resolve();
    }
    child.stdout?.on('data', again);
    child.stderr?.on('data', again);
    child.once('close', done);
  });
}
