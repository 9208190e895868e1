import type { Clock, ErrorCode, Stage, Trace } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { timerDelay } from './time-limit.ts';
import { within } from './within.ts';

/** Thrown in place of a stage's result when its time limit passed. */
export class StageTimeout extends Error {
  readonly stage: Stage;

  constructor(stage: Stage, limitMs: number) {
    super(`${stage} took longer than its limit of ${limitMs / 1000} s`);
    this.name = 'StageTimeout';
    this.stage = stage;
  }
}

const timeoutCodes: Readonly<Record<Exclude<Stage, 'agent'>, ErrorCode>> = {
  boot: 'runtime/timeout',
  setup: 'taskset/timeout',
  finalize: 'taskset/timeout',
  scoring: 'scoring/timeout',
};

export interface StageOptions {
  readonly trace: Trace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limitMs: number | undefined;
  /** Of what the stage throws without one. */
  readonly code: ErrorCode;
}

/**
 * Runs one stage with its span on the trace and its own time limit. `work` is told by its signal, and left behind
 * when it does not listen.
 * @throws StageTimeout for the agent's stage (the rollout is scored all the same); for others the VfError of the
 *   stage's family. What `work` throws is made a VfError of `code`.
 */
export async function runStage<T>(
  stage: Stage,
  options: StageOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { trace, clock, signal, limitMs } = options;
  const start = clock.now() / 1000;
  const limit = limitMs === undefined ? null : startLimit(stage, limitMs);
  const stageSignal = limit === null ? signal : AbortSignal.any([signal, limit.signal]);
  try {
    signal.throwIfAborted();
    return await within(work(stageSignal), stageSignal);
  } catch (error) {
    throw stageError(error, stage, options.code, signal, limit?.signal ?? null);
  } finally {
    limit?.clear();
    if (stage !== 'agent') trace.timing[stage] = { start, end: clock.now() / 1000 };
  }
}

function startLimit(stage: Stage, limitMs: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const tell = (): void => controller.abort(new StageTimeout(stage, limitMs));
  const timer = setTimeout(tell, timerDelay(limitMs));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

function stageError(
  error: unknown,
  stage: Stage,
  code: ErrorCode,
  run: AbortSignal,
  deadline: AbortSignal | null,
): Error {
  if (run.aborted) return cancelled(run);
  if (deadline?.aborted !== true) return toVfError(error, code, stage);
  const timeout = deadline.reason as StageTimeout;
  if (stage === 'agent') return timeout;
  return new VfError(timeoutCodes[stage], timeout.message, {
    hint: `--timeout.${stage} gives it longer`,
    cause: timeout,
  });
}

/** The reason of a cancelled run as an error with code `cancelled`. */
export function cancelled(signal: AbortSignal): VfError {
  if (VfError.isInstance(signal.reason)) return signal.reason;
  return new VfError('cancelled', 'the run was cancelled', { cause: signal.reason });
}
