import type { Box, Trace } from '@vf/core';
import { Trace as TraceClass, sumUsage } from '@vf/core/trace';
import type { VfError } from '@vf/core/errors';
import { Attempt } from './attempt.ts';
import type { AttemptInit } from './attempt-init.ts';
import type { TaskInstance } from './plan.ts';
import { backOffMs, mayRetry } from './retry.ts';
import { note } from './trace-error.ts';

export type RolloutInit = Omit<AttemptInit, 'trace'>;

/** What is left of a rollout: its trace, and the box its last attempt worked in (null when none was provisioned). */
export interface PlayedRollout {
  readonly trace: Trace;
  readonly box: Box | null;
}

/**
 * Plays one rollout with retries. Failures end up on the trace; nothing is thrown, not even when cancelled.
 * Each try has a box and a trace of its own; errors and usage of earlier tries stay on the last trace.
 */
export async function playRollout(init: RolloutInit): Promise<PlayedRollout> {
  let previous: Trace | null = null;
  for (let failed = 0; ;) {
    const trace = newTrace(init, previous);
    const attempt = new Attempt({ ...init, trace });
    init.services.observer.started?.(trace);
    const error = await play(attempt, trace);
    const isOver =
      error === null ||
      init.signal.aborted ||
      !mayRetry(init.role.retries, error, attempt.phase, failed + 1);
    if (isOver) return finish(init, attempt, trace, error);
    failed++;
    previous = trace;
    await release(init, attempt);
    await backOff(init, trace, error, failed);
  }
}

async function play(attempt: Attempt, trace: Trace): Promise<VfError | null> {
  try {
    await attempt.boot();
    await attempt.setup();
    await attempt.work();
    await attempt.finalize();
    await attempt.score();
    return null;
  } catch (error) {
    return note(trace, error, attempt.phase);
  }
}

/** The last words on a trace: whether it is whole, and what its box becomes. */
export function finish(
  init: RolloutInit,
  attempt: Attempt,
  trace: Trace,
  error: VfError | null,
): PlayedRollout {
  trace.ok = error === null;
  trace.isCompleted = error === null || error.code !== 'cancelled';
  const { box } = attempt;
  // One that was cancelled will be played again: there is nothing to look for.
  const isFailed = error !== null && error.code !== 'cancelled';
  if (isFailed && box !== null && init.role.keepFailedBoxes && init.box === undefined)
    init.boxes.keep(box, (entry) => void (trace.info['keptBox'] = entry));
  init.services.observer.phase?.(trace, 'done');
  init.services.observer.finished?.(trace);
  return { trace, box };
}

async function release(init: RolloutInit, attempt: Attempt): Promise<void> {
  const { box } = attempt;
  if (box !== null && box !== init.box)
    await box
      .stop()
      .catch((error: unknown) =>
        init.services.log('').warn('a box was not freed', { error: String(error) }),
      );
}

async function backOff(
  { role, services, signal }: RolloutInit,
  trace: Trace,
  error: VfError,
  failed: number,
): Promise<void> {
  const waitMs = backOffMs(role.retries, error, failed, services.random());
  services.observer.phase?.(trace, 'backing-off');
  services.observer.retry?.(trace, error, failed, waitMs);
  await services.clock.sleep(waitMs, signal).catch(() => undefined);
}

/** A trace for another try; what earlier tries cost and why they failed goes with it. */
export function newTrace(
  { role, task, taskset, services }: RolloutInit,
  previous: Trace | null,
): Trace {
  const trace = new TraceClass({
    id: services.newId(),
    start: services.clock.now() / 1000,
    task: {
      type: taskset?.name ?? 'ad-hoc',
      key: task.key,
      hash: task.hash,
      data: tracedRow(task),
    },
    agent: {
      name: role.name,
      trainable: role.trainable,
      model: role.model,
      harness: { id: role.harness.id, version: role.harness.version, config: role.harness.config },
      runtime: { id: role.runtime.id, config: role.runtime.config },
      sampling: role.sampling,
      limits: role.limits,
    },
  });
  if (previous === null) return trace;
  const attempt = previous.errors.length;
  trace.errors.push(
    ...previous.errors.map((error, i) => ({ ...error, attempt: error.attempt ?? i + 1 })),
  );
  trace.extraUsage.push(
    ...previous.extraUsage,
    ...(previous.calls.length === 0 ? [] : [sumUsage([previous.usage])]),
  );
  trace.info['retries'] = attempt;
  return trace;
}

/** The row as a trace may hold it: without the values of its environment and of its compose variables. */
export function tracedRow(task: TaskInstance): Readonly<Record<string, unknown>> {
  const { env: _secret, ...row } = task.row;
  const { compose } = task.task;
  return compose === undefined ? row : { ...row, compose: { files: compose.files } };
}
