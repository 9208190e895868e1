import type { ModelCall } from '../model-call.ts';
import type { TraceNode } from '../node.ts';

/** Token counts of a record, as the verifiers models compute them from graph and calls. */
export interface TokenCounts {
  readonly num_input_tokens: number;
  readonly num_output_tokens: number;
  readonly num_total_tokens: number;
}

/**
 * Input counts what each call adds to the conversation before it, once; output counts the replies
 * of each branch, a shared one in each; total = input + the output of all calls. One pass.
 */
export function countTokens(
  nodes: readonly TraceNode[],
  leaves: readonly number[],
  calls: readonly ModelCall[],
): TokenCounts {
  const callOf = new Map(calls.flatMap((call) => (call.node === null ? [] : [[call.node, call]])));
  const sequence: number[] = [];
  const spoken: number[] = [];
  let input = 0;
  nodes.forEach((node, at) => {
    const before = node.parent === null ? 0 : (sequence[node.parent] ?? 0);
    const said = node.parent === null ? 0 : (spoken[node.parent] ?? 0);
    const usage = callOf.get(at)?.usage ?? null;
    if (usage !== null) input += Math.max(0, usage.inputTokens - before);
    sequence.push(usage === null ? before : usage.inputTokens + usage.outputTokens);
    spoken.push(said + (usage?.outputTokens ?? 0));
  });
  const sampled = calls.reduce((sum, call) => sum + (call.usage?.outputTokens ?? 0), 0);
  return {
    num_input_tokens: input,
    num_output_tokens: leaves.reduce((sum, leaf) => sum + (spoken[leaf] ?? 0), 0),
    num_total_tokens: input + sampled,
  };
}

export function addCounts(counts: readonly TokenCounts[]): TokenCounts {
  const sum = (key: keyof TokenCounts) => counts.reduce((total, each) => total + each[key], 0);
  return {
    num_input_tokens: sum('num_input_tokens'),
    num_output_tokens: sum('num_output_tokens'),
    num_total_tokens: sum('num_total_tokens'),
  };
}
