import type { ModelCall, Trace } from '@vf/core';
import { missing } from './missing.ts';

/** A call of an episode, and the trace that it stands in. */
export interface FoundCall {
  readonly trace: Trace;
  readonly call: ModelCall;
}

/**
 * @param number from 1, over all traces of the episode
 * @throws VfError usage/not_found
 */
export function findCall(traces: readonly Trace[], number: number): FoundCall {
  let first = 0;
  for (const trace of traces) {
    const call = trace.calls[number - first - 1];
    if (call !== undefined) return { trace, call };
    first += trace.calls.length;
  }
  throw missing('call', number, first);
}
