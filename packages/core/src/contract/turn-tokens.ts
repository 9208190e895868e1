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
  readonly origin?: TokenOrigin;
  readonly counts?: TokenCounts;
}

/** What turning messages into ids and back met that no message shows as such. */
export interface TokenCounts {
  /** Calls of the reply that do not parse or are of no tool that was offered: they are text of it. */
  readonly malformedCalls: number;
  /** Control tokens that the messages new in this prompt spell: they are text, and no control tokens. */
  readonly spelledControls: number;
}

/**
 * What made the ids of a turn. Only samples of one tokenizer and one template are of one policy; null: not known, as
 * where the engine has its own.
 */
export interface TokenOrigin {
  /** Kind of the server that sampled. */
  readonly engine: string;
  /** Family whose template wrote the prompt; null: the engine wrote it, by the model's own. */
  readonly renderer: string | null;
  /** When the reasoning of past turns is kept: it decides how many samples a conversation makes. */
  readonly retention: string | null;
  /** SHA-256 of the bytes of `tokenizer.json`, hex. */
  readonly tokenizerSha256: string | null;
  /** SHA-256, hex, of the template's text, or of what stands for it: family, version and options of a renderer. */
  readonly templateSha256: string | null;
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
