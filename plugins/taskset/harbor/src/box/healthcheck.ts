import { setTimeout as sleep } from 'node:timers/promises';
import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Healthcheck } from '../format/schema.ts';
import { howItEnded, shell, userOption } from './shell.ts';

export interface Waiting {
  readonly user: string | number | null;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly now?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Asks until the box is healthy. Failures within the start period do not count; after it, `retries` in a row end the
 * wait.
 * @throws VfError taskset/setup_failed
 */
export async function waitUntilHealthy(
  runtime: RuntimeApi,
  check: Healthcheck,
  { user, signal, now = () => performance.now(), sleep: wait = pause }: Waiting,
): Promise<void> {
  const start = now();
  for (let failed = 0; ;) {
    const ended = await runtime.run(shell(check.command), {
      ...userOption(user),
      timeoutMs: check.timeout_sec * 1000,
      signal,
    });
    if (ended.exitCode === 0) return;
    const isStarting = now() - start < check.start_period_sec * 1000;
    if (!isStarting) failed++;
    if (failed >= check.retries)
      throw new VfError(
        'taskset/setup_failed',
        `the healthcheck failed ${failed} times in a row: ${check.command} ${howItEnded(ended)}`,
      );
    await wait((isStarting ? check.start_interval_sec : check.interval_sec) * 1000, signal);
  }
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });
