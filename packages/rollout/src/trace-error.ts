import type { Stage, Trace, TraceError } from '@vf/core';
import { VfError, boundedMessage, boundedStack, familyOf } from '@vf/core/errors';

/** Writes the error on the trace, with the stage it struck in. */
export function note(trace: Trace, error: unknown, phase: Stage): VfError {
  const failure = VfError.isInstance(error)
    ? error
    : new VfError('internal/unexpected', error instanceof Error ? error.message : String(error), {
        cause: error,
      });
  trace.errors.push(traceError(failure, phase));
  trace.stopCondition ??= `${familyOf(failure.code)}_error`;
  return failure;
}

/** An error as a trace or an episode keeps it. @param phase the stage it struck in */
export function traceError(error: VfError, phase?: Stage): TraceError {
  return {
    type: error.code,
    message: boundedMessage(error.message),
    ...(phase === undefined ? {} : { phase }),
    ...(error.status === null ? {} : { status: error.status }),
    ...stackOf(error),
  };
}

/** Where the code of an author, or of vf, threw. */
function stackOf({ code, cause }: VfError): Pick<TraceError, 'stack'> {
  if (!ofAuthors.has(familyOf(code)) || !(cause instanceof Error)) return {};
  const { stack } = cause as { readonly stack?: unknown };
  return typeof stack === 'string' ? { stack: boundedStack(stack) } : {};
}

/** Failures of code that someone wrote and will look for: scorers, hooks, harnesses, and vf itself. */
const ofAuthors: ReadonlySet<string> = new Set(['internal', 'scoring', 'taskset', 'harness']);
