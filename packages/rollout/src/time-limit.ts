/** A timer set to longer, some 24 days, would fire at once. */
const longestDelayMs = 2 ** 31 - 1;

/** A delay that timers take: whole milliseconds, at most some 24 days. */
export function timerDelay(ms: number): number {
  return Math.min(Math.ceil(ms), longestDelayMs);
}

/** Aborts after `ms`, of any size. */
export function abortAfter(ms: number): AbortSignal {
  return AbortSignal.timeout(timerDelay(ms));
}
