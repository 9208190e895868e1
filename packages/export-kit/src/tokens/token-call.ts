import type { ModelCall, NodeTokens, Trace } from '@vf/core';
import { firstSampled } from '@vf/core/trace';

/** One sampled reply with the exact ids that the model saw before it, and those that it sampled. */
export interface TokenCall {
  /** Index of the reply's node. */
  readonly node: number;
  /** The exchange that committed it; null in a record that has none. */
  readonly call: ModelCall | null;
  readonly promptIds: readonly number[];
  readonly responseIds: readonly number[];
  /** One for each response id; null when the engine gave none. */
  readonly logprobs: readonly number[] | null;
}

/** The trace's replies in the order of their calls. A reply without tokens has no response ids. */
export function tokenCallsOf(trace: Trace): TokenCall[] {
  const { nodes } = trace.graph;
  const callOf = new Map<number, ModelCall>();
  for (const call of trace.calls) if (call.node !== null) callOf.set(call.node, call);
  const made = [...callOf.keys()];
  const others = nodes.flatMap(({ sampled }, at) => (sampled && !callOf.has(at) ? [at] : []));
  return [...made, ...others].map((node) => ({
    node,
    call: callOf.get(node) ?? null,
    ...idsAt(trace, node),
  }));
}

function idsAt(
  trace: Trace,
  node: number,
): Pick<TokenCall, 'promptIds' | 'responseIds' | 'logprobs'> {
  const { graph } = trace;
  const tokens = graph.nodes[node]?.tokens;
  const before = graph.pathTo(node).slice(0, -1);
  const promptIds = before.flatMap((at) => [...(graph.nodes[at]?.tokens?.ids ?? [])]);
  if (tokens === undefined) return { promptIds, responseIds: [], logprobs: null };
  const start = firstSampled(tokens);
  return {
    promptIds: promptIds.concat(Array.from(tokens.ids.subarray(0, start))),
    responseIds: [...tokens.ids.subarray(start)],
    logprobs: logprobsOf(tokens),
  };
}

/** null when the engine gave none for what was sampled. */
export function logprobsOf(tokens: NodeTokens): readonly number[] | null {
  const sampled = tokens.ids.length - firstSampled(tokens);
  return tokens.logprobs.length === sampled ? Array.from(tokens.logprobs, plain) : null;
}

/** Decimals that a record keeps of a 32-bit float; more would be noise of the conversion. */
const scale = 10_000;

/** A 32-bit float as records write it. */
export function plain(value: number): number {
  return Math.round(value * scale) / scale;
}
