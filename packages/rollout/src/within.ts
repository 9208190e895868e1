import { AbortListener } from '@vf/core/life';

/** Settles with `work`, or rejects with the signal's reason as soon as it fires, whether `work` heeds it or not. */
export function within<T>(work: PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  if (!mayWait(work) && !signal.aborted) return Promise.resolve(work);
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const listener = signal.aborted ? null : new AbortListener(signal, { abort: reject });
    Promise.resolve(work).then(
      (result) => {
        listener?.release();
        resolve(result);
      },
      (error: unknown) => {
        listener?.release();
        reject(error);
      },
    );
  });
}

/** A hook may return what is awaited like a promise and is none. */
function mayWait(work: unknown): boolean {
  return typeof work === 'object' ? work !== null && 'then' in work : typeof work === 'function';
}
