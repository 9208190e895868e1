/**
 * A prompt as token ids, and what each token is. All lists but `spans` have one entry per token; a mask of
 * length 0 is not known.
 */
export interface Rendered {
  readonly tokenIds: Int32Array;
  /** Index of the message that a token belongs to; −1 for none (tool block, generation prompt, an earlier turn). */
  readonly messageIndices: Int32Array;
  /** 1 where the model itself would have written the token: the loss mask of supervised training. */
  readonly sampledMask: Uint8Array;
  /** 1 for the body of a message; of an assistant's message, everything sampled. */
  readonly isContent: Uint8Array;
  /** Numbers of `parts`: scaffold, content, reasoning, call. */
  readonly parts: Uint8Array;
  /** `[first, last + 1)` per message, null where no token belongs to it. */
  readonly spans: readonly (readonly [number, number] | null)[];
  /** Control tokens that bodies spelt and that were encoded as plain text, each by the index of its message; −1 for none. */
  readonly spelledControls: readonly number[];
}
