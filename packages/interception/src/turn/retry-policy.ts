import type { CallError, Head } from '@vf/core';
import { headerOf } from '../http/raw-headers.ts';
import type { InterceptionLimits } from '../limits.ts';

const firstPause = 500;
const longestPause = 8_000;

const retriedCodes: ReadonlySet<CallError['code']> = new Set([
  'rate_limit',
  'overloaded',
  'provider',
  'unreachable',
  'cut',
]);

/** What one attempt failed with, and the provider's answer when there was one. */
export interface AttemptFailure {
  readonly error: CallError;
  /** Goes to the agent as it came when no further attempt is made. */
  readonly answer: { readonly head: Head; readonly body: readonly Uint8Array[] } | null;
  /** A connection that broke before any answer may be tried again at once. */
  readonly isReset: boolean;
}

/**
 * Milliseconds to wait before attempt `attempt + 1`; null when there shall be none. 429, 5xx, broken connections and
 * errors in a stream's first event are tried again; a provider's `x-should-retry` and Retry-After are obeyed.
 */
export function pauseAfter(
  failure: AttemptFailure,
  attempt: number,
  limits: Pick<InterceptionLimits, 'retries' | 'longestRetryAfter'>,
): number | null {
  if (attempt > limits.retries || !isRetried(failure)) return null;
  const asked = failure.error.retryAfterMs ?? null;
  if (asked !== null) return asked <= limits.longestRetryAfter ? asked : null;
  if (failure.isReset && attempt === 1) return 0;
  const pause = Math.min(longestPause, firstPause * 2 ** (attempt - 1));
  // Spread, so that rollouts that failed together do not come back together.
  return pause * (0.75 + Math.random() / 4);
}

function isRetried({ error, answer }: AttemptFailure): boolean {
  const told = answer === null ? null : headerOf(answer.head.headers, 'x-should-retry');
  if (told === 'true') return true;
  if (told === 'false') return false;
  return retriedCodes.has(error.code) || error.status === 429 || error.status >= 500;
}

/** Milliseconds that a head asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterOf(head: Head, now: number): number | null {
  const exact = headerOf(head.headers, 'retry-after-ms');
  if (exact !== null && Number.isFinite(Number(exact))) return Math.max(0, Number(exact));
  const after = headerOf(head.headers, 'retry-after');
  if (after === null) return null;
  if (Number.isFinite(Number(after))) return Math.max(0, Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
