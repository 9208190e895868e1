import type { ModelCall, Trace } from '@vf/core';
import { encodeTrace } from '@vf/core/trace';
import { snake, snakeName } from '@vf/run/names';
import { findCall } from './find-call.ts';

/**
 * One model call for programs: its trace, what is known of it, and the messages from the first of its prompt to its
 * reply (none where it committed none) as they stand in the trace record, each with its index there.
 * @param number from 1, over all traces of the episode
 * @throws VfError usage/not_found
 */
export function callDocument(traces: readonly Trace[], number: number): object {
  const { trace, call } = findCall(traces, number);
  const nodes = encodeTrace(trace)['nodes'] as readonly object[];
  const path = call.node === null ? [] : trace.graph.pathTo(call.node);
  return {
    trace: trace.id,
    agent: trace.agent.name,
    call: { number, ...fieldsOf(call) },
    nodes: path.map((index) => ({ index, ...nodes[index] })),
  };
}

/** Names inside of settings and of what is not known are not ours. */
function fieldsOf(call: ModelCall): object {
  const { settings, unknown, lastByte: _, ...ours } = call;
  const named = Object.entries(settings).map(([key, value]) => [snakeName(key), value] as const);
  return {
    ...snake(ours),
    settings: Object.fromEntries(named),
    ...(unknown === undefined ? {} : { unknown }),
  };
}
