import { boundedMessage, boundedStack } from '../errors/bounded.ts';
import { toVfError } from '../errors/to-vf-error.ts';
import type { Episode } from '../trace/episode.ts';
import type { Trace } from '../trace/trace.ts';
import type { CaptureAbout } from './about.ts';

/** How a loop ended; without anything said, because the agent was done. */
export interface CaptureOutcome {
  /** Name of the stop condition. Default: `agent_completed`, or `error` with an error. */
  readonly stop?: string;
  /** What broke the loop: the rollout is not complete then, and has no reward. */
  readonly error?: unknown;
}

/** What the clock says at the end: Unix seconds, and how many of them a call was under way. */
interface Times {
  readonly end: number;
  readonly modelSeconds: number;
}

/** Closes the trace and gives it as the one of its episode. */
export function finished(
  trace: Trace,
  about: CaptureAbout,
  outcome: CaptureOutcome,
  times: Times,
): Episode {
  const { stop, error } = outcome;
  if (error !== undefined) {
    const { code, message } = toVfError(error, 'harness/failed', 'the loop threw');
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    trace.errors.push({
      type: code,
      message: boundedMessage(message),
      phase: 'agent',
      ...(typeof stack === 'string' ? { stack: boundedStack(stack) } : {}),
    });
  }
  const { start } = trace.timing;
  trace.timing.agent = {
    start,
    end: times.end,
    model: times.modelSeconds,
    harness: Math.max(0, times.end - start - times.modelSeconds),
  };
  trace.stopCondition = stop ?? (error === undefined ? 'agent_completed' : 'error');
  trace.isCompleted = error === undefined;
  trace.ok = trace.isCompleted && Object.values(trace.rewards).every((score) => score !== null);
  return {
    id: trace.id,
    env: { id: 'single' },
    task: trace.task,
    attempt: about.attempt ?? 1,
    traces: [trace],
    errors: [],
    ok: trace.ok,
    isTimeout: false,
  };
}
