/**
 * What became of a call that a completion holds: `invalid_json` arguments or block, `unclosed_block` the end marker is
 * missing, `missing_name`, `malformed_structure` marks in the wrong order, `unknown_tool` a name that was not offered.
 */
export type CallStatus =
  | 'ok'
  | 'invalid_json'
  | 'unclosed_block'
  | 'missing_name'
  | 'malformed_structure'
  | 'unknown_tool';

/** One call as it was found. */
export interface ParsedCall {
  /** The text between the marks. */
  readonly raw: string;
  readonly name: string | null;
  /** JSON text: as sampled where the family writes JSON, else put together from the parameters. */
  readonly arguments: string | null;
  /** `[first, last + 1)` in the completion, marks included. */
  readonly span: readonly [number, number];
  readonly status: CallStatus;
  /** The id that the model itself wrote, where its family writes one. */
  readonly id?: string;
}

/** A completion as a message. */
export interface Parsed {
  readonly content: string;
  /** Null when the completion has no reasoning. */
  readonly reasoning: string | null;
  readonly calls: readonly ParsedCall[];
}
