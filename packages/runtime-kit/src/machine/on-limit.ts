/** A longer delay would fire at once. */
const longestDelayMs = 2 ** 31 - 1;

/** Calls `act` with the reason when the time is over or the signal fires; returns what calls it off. */
export function onLimit(
  limits: { readonly timeoutMs?: number | undefined; readonly signal?: AbortSignal | undefined },
  act: (reason: 'timeout' | 'aborted') => void,
): () => void {
  const { timeoutMs, signal } = limits;
  const timed = timeoutMs !== undefined && timeoutMs <= longestDelayMs;
  const timer = timed ? setTimeout(() => act('timeout'), timeoutMs) : undefined;
  const abort = (): void => act('aborted');
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
}
