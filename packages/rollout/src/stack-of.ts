import type { TraceError } from '@vf/core';
import { familyOf } from '@vf/core/errors';
import type { VfError } from '@vf/core/errors';

/** Where the code of an author, or of vf, threw. */
export function stackOf({ code, cause }: VfError): Pick<TraceError, 'stack'> {
  if (!ofAuthors.has(familyOf(code)) || !(cause instanceof Error)) return {};
  const { stack } = cause as { readonly stack?: unknown };
  return typeof stack === 'string' ? { stack } : {};
}

/** Failures of code that someone wrote and will look for: scorers, hooks, harnesses, and vf itself. */
const ofAuthors: ReadonlySet<string> = new Set(['internal', 'scoring', 'taskset', 'harness']);
