import type { ModelCall, NodeTokens, Trace } from '@vf/core';
import { firstSampled } from '@vf/core/trace';

/** One sampled reply with the exact ids of it. */
export interface TokenCall {
  /** Index of the reply's node. */
  readonly node: number;
  /** The exchange that committed it; null in a record that has none. */
  readonly call: ModelCall | null;
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
    ...idsOf(nodes[node]?.tokens),
  }));
}

function idsOf(tokens: NodeTokens | undefined): Pick<TokenCall, 'responseIds' | 'logprobs'> {
  if (tokens === undefined) return { responseIds: [], logprobs: null };
  return {
    responseIds: [...tokens.ids.subarray(firstSampled(tokens))],
    logprobs: logprobsOf(tokens),
  };
}

/** The exact ids that the model saw before it sampled a reply, as long as the conversation was then. */
export function promptIdsOf({ graph }: Trace, node: number): readonly number[] {
  const ids: number[] = [];
  for (const at of graph.pathTo(node)) {
    const tokens = graph.nodes[at]?.tokens;
    if (tokens === undefined) continue;
    const end = at === node ? firstSampled(tokens) : tokens.ids.length;
    for (const id of tokens.ids.subarray(0, end)) ids.push(id);
  }
  return ids;
}

/** null when the engine gave none for what was sampled. */
export function logprobsOf(tokens: NodeTokens): readonly number[] | null {
  const sampled = tokens.ids.length - firstSampled(tokens);
  if (tokens.logprobs.length !== sampled) return null;
  const logprobs: number[] = [];
  for (const logprob of tokens.logprobs) logprobs.push(plain(logprob));
  return logprobs;
}

/** Decimals that a record keeps of a 32-bit float; more would be noise of the conversion. */
const scale = 10_000;

/** A 32-bit float as records write it. */
export function plain(value: number): number {
  return Math.round(value * scale) / scale;
}
