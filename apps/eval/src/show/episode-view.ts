import type { Trace } from '@vf/core';
import { callLines } from './call-text.ts';
import { conversationLines } from './conversation.ts';
import { findCall } from './find-call.ts';
import { traceHeader } from './header.ts';
import type { TextOptions } from './message-text.ts';
import { missing } from './missing.ts';
import { rule } from './rules.ts';
import { sectionsOf, wholeBranch } from './sections.ts';

export interface EpisodeViewOptions extends TextOptions {
  /** From 1, over all traces of the episode. */
  readonly branch: number | null;
  readonly call: number | null;
}

/** The traces of an episode as conversations, or the one branch or call that was asked for. */
export function tracesText(traces: readonly Trace[], options: EpisodeViewOptions): string[] {
  if (options.call !== null) {
    const { trace, call } = findCall(traces, options.call);
    return callLines(trace, call, options.call, options);
  }
  if (options.branch !== null) return oneBranch(traces, options.branch, options);
  let [firstCall, firstBranch] = [0, 0];
  return traces.flatMap((trace) => {
    const counted = { firstCall, firstBranch };
    firstCall += trace.calls.length;
    firstBranch += trace.branches.length;
    return [
      ...(traces.length === 1
        ? []
        : ['', rule(`${trace.agent.name}, rollout ${trace.id}`, options.paint)]),
      ...traceHeader(trace, options.paint, options.isFull),
      ...conversationLines(trace, sectionsOf(trace), counted, options),
    ];
  });
}

function oneBranch(
  traces: readonly Trace[],
  number: number,
  options: EpisodeViewOptions,
): string[] {
  let [firstCall, firstBranch] = [0, 0];
  for (const trace of traces) {
    const section = wholeBranch(trace, number - firstBranch);
    if (section !== null)
      return conversationLines(trace, [section], { firstCall, firstBranch }, options);
    firstCall += trace.calls.length;
    firstBranch += trace.branches.length;
  }
  throw missing('branch', number, firstBranch);
}
