import type { ToolSpec } from '../call.ts';
import type { RoutedExperts, SamplingMask } from '../contract/turn-tokens.ts';
import type { Message } from '../message.ts';

/**
 * Exact tokens that one node owns: its slice of the sequence. `mask`: 1 = sampled (trainable), as long as `ids`;
 * `isContent`: 1 = message body, 0 = template scaffold, null = unknown. The other lists hold one number per 1 in `mask`.
 */
export interface NodeTokens {
  readonly ids: Int32Array;
  readonly mask: Uint8Array;
  readonly isContent: Uint8Array | null;
  /** Natural log, of the sampling policy; empty when the engine gave none. */
  readonly logprobs: Float32Array;
  readonly advantages?: Float32Array | null;
  readonly referenceLogprobs?: Float32Array | null;
  readonly trainerLogprobs?: Float32Array | null;
  readonly entropies?: Float32Array | null;
  /** Aligned to `ids`, not compact. */
  readonly lossWeights?: Readonly<Record<string, Float32Array>> | null;
  /** One row for each of `ids`. Not in records of JSON: only the wire form carries it. */
  readonly routedExperts?: RoutedExperts;
  /** One count for each 1 in `mask`. Not in records of JSON: only the wire form carries it. */
  readonly samplingMask?: SamplingMask;
}

/** A causal link that is not ancestry: sub-agent call and return, compaction. */
export interface CausalLink {
  readonly node: number;
  readonly type: string;
}

/** One message at its place in the conversation. Never changes once committed, but for the trainer's fields. */
export interface TraceNode {
  /** Index into the graph's nodes; parents precede children. */
  readonly parent: number | null;
  /** What the model saw, or sampled. */
  readonly message: Message;
  /** What the agent sends for it, when a rewrite made that another text; prompts are matched by this form. */
  readonly said?: Message;
  /** True only for a reply committed by a recorded call. */
  readonly sampled: boolean;
  /** On roots: the tool list this conversation was sent with. */
  readonly tools?: readonly ToolSpec[];
  readonly links?: readonly CausalLink[];
  /** Unix seconds. */
  readonly timestamp: number;
  readonly tokens?: NodeTokens;
  /** Fields of a record that vf does not know, kept for the round trip. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}
