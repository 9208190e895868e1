/** What a renderer needs of a model's tokenizer. */
export interface Tokenizer {
  /** Ids of the text as text: a control token that it spells is not one. */
  encode(text: string): ArrayLike<number>;
  /** Control tokens (added tokens) and their ids. */
  readonly controls: ReadonlyMap<string, number>;
  /**
   * The bytes of a token; of a control token those of its name.
   * @throws RangeError when the vocabulary has no such id
   */
  bytes(id: number): Uint8Array;
  /**
   * The bytes of the tokens from `from` up to `to`, one behind the other.
   * @throws RangeError when the vocabulary has no such id
   */
  join(ids: ArrayLike<number>, from: number, to: number): Uint8Array;
  /** How many bytes a token covers in the normalised text. */
  byteLength(id: number): number;
  /** What the tokenizer does to text before it splits it; absent when nothing. */
  readonly normalize?: (text: string) => string;
  /** SHA-256 of the bytes of its `tokenizer.json`, hex; absent when it was not read from one. */
  readonly sha256?: string;
  /** One more than the largest id. */
  readonly size: number;
}
