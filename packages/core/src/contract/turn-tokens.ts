/**
 * Exact tokens of one turn. `logprobs`: one per completion id; `spans`: one per prompt message, `[start, end)` in
 * `promptIds`, null where no token belongs to it; `isContent`: one per prompt id, 1 = message body.
 */
export interface TurnTokens {
  readonly promptIds: Int32Array;
  readonly completionIds: Int32Array;
  readonly logprobs: Float32Array;
  readonly spans: readonly (readonly [number, number] | null)[];
  readonly isContent?: Uint8Array;
  readonly space?: TokenSpace;
  /** Of prompt and completion from `start` on; engines never tell the last position. */
  readonly routedExperts?: RoutedExperts & { readonly start: number };
  /** One row for each completion id; one that does not fit them is dropped, the tokens kept. */
  readonly samplingMask?: SamplingMask;
  /** Which weights sampled which completion ids; absent where the engine does not say. */
  readonly weights?: readonly WeightSpan[];
}

/** Completion ids `[start, end)` that one version of the weights sampled. */
export interface WeightSpan {
  readonly version: string;
  readonly start: number;
  readonly end: number;
}

/** What ids there can be, and how many of them in one sequence. */
export interface TokenSpace {
  /** One more than the largest id. */
  readonly vocabulary: number;
  /** Most tokens of prompt and completion together; null: not known. */
  readonly context: number | null;
}

/** Experts that a mixture-of-experts model chose for each of some tokens, in their order: `layers` × `topK` numbers. */
export interface RoutedExperts {
  readonly rows: Uint8Array | Uint16Array;
  readonly layers: number;
  readonly topK: number;
}

/** Ids that the filters of sampling left to choose from, for each sampled token: `counts` of them, one after another. */
export interface SamplingMask {
  readonly ids: Int32Array;
  readonly counts: Int32Array;
}
