import type { Stage, VfError } from '@vf/core';
import { familyOf } from '@vf/core/errors';
import type { RetryPolicy } from './plan.ts';

/** Milliseconds. A provider that is out for an hour fails the rollout now: resume plays it again then. */
const longestRetryAfter = 300_000;

/** An agent can break its own box; a second try is for the machine's faults, more would be tries at the task. */
const mostOnceAgentWorked = 1;

/** Retries that are left to this error, thrown in `phase`, after `failed` failed attempts: whether to try again. */
export function mayRetry(
  policy: RetryPolicy,
  error: VfError,
  phase: Stage,
  failed: number,
): boolean {
  const rule = policy.rules.find((candidate) => matches(candidate, error));
  if (rule !== undefined) return failed <= rule.maxRetries;
  if ((error.retryAfterMs ?? 0) > longestRetryAfter) return false;
  const isBeforeAgent = phase === 'boot' || phase === 'setup';
  const isBounded = !isBeforeAgent && familyOf(error.code) === 'runtime';
  const most = isBounded ? Math.min(mostOnceAgentWorked, policy.maxRetries) : policy.maxRetries;
  return error.retryable && error.code !== 'cancelled' && failed <= most;
}

/** Milliseconds to wait: what the provider asks for, else doubling with half of it as jitter. */
export function backOffMs(
  policy: RetryPolicy,
  error: VfError,
  failed: number,
  random: number,
): number {
  const doubled = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (failed - 1));
  const jittered = doubled * (0.5 + random / 2);
  return Math.max(jittered, error.retryAfterMs ?? 0);
}

function matches(rule: RetryPolicy['rules'][number], error: VfError): boolean {
  if (rule.code !== undefined && !matchesCode(rule.code, error.code)) return false;
  return (
    rule.statusCodes === undefined ||
    (error.status !== null && rule.statusCodes.includes(error.status))
  );
}

function matchesCode(glob: string, code: string): boolean {
  return glob.endsWith('*') ? code.startsWith(glob.slice(0, -1)) : glob === code;
}
