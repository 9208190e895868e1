import type { Trace } from '@vf/core';
import { isRecord } from '../request/is-record.ts';

/** Records of nodes from index `from` on, with every digit of their logprobs: files round them, a trainer may not. */
export function allDigits(nodes: unknown, trace: Trace, from: number): unknown {
  if (!Array.isArray(nodes)) return undefined;
  return nodes.map((node: unknown, at) => {
    const tokens = trace.graph.nodes[from + at]?.tokens;
    if (tokens === undefined || !isRecord(node)) return node;
    return { ...node, logprobs: Array.from(tokens.logprobs) };
  });
}
