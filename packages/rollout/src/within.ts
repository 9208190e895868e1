/** Those that wait under a signal. It has one listener for all: each of its own would cost a rollout more than its stages. */
const waiting = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>();

/** Settles with `work`, or rejects with the signal's reason as soon as it fires, whether `work` heeds it or not. */
export function within<T>(work: PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  if (!mayWait(work) && !signal.aborted) return Promise.resolve(work);
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const waiters = waitersOf(signal);
    waiters.add(reject);
    Promise.resolve(work).then(
      (result) => {
        waiters.delete(reject);
        resolve(result);
      },
      (error: unknown) => {
        waiters.delete(reject);
        reject(error);
      },
    );
  });
}

/** A hook may return what is awaited like a promise and is none. */
function mayWait(work: unknown): boolean {
  return typeof work === 'object' ? work !== null && 'then' in work : typeof work === 'function';
}

function waitersOf(signal: AbortSignal): Set<(reason: unknown) => void> {
  const known = waiting.get(signal);
  if (known !== undefined) return known;
  const waiters = new Set<(reason: unknown) => void>();
  waiting.set(signal, waiters);
  signal.addEventListener('abort', () => waiters.forEach((reject) => reject(signal.reason)), {
    once: true,
  });
  return waiters;
}
