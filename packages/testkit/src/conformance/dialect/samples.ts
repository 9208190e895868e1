import type { Head, Settings } from '@vf/core';

export interface RequestSample {
  readonly name: string;
  /** As the agent asked for it, with or without a prefix. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ReplySample {
  readonly name: string;
  readonly stream: boolean;
  /** Exact text, server-sent events or one JSON body. */
  readonly body: string;
  /** Default: 200 with the content type of `stream`. */
  readonly head?: Head;
}

/** Real traffic of a dialect, and what the dialect can say. */
export interface DialectSamples {
  /** Requests for a turn. */
  readonly requests: readonly RequestSample[];
  /** Good replies, from as many servers as there are. */
  readonly replies: readonly ReplySample[];
  /** Where agents put the key `sample-key`. */
  readonly secrets: readonly { readonly headers: readonly string[]; readonly url?: string }[];
  /** Settings that a request of this dialect can carry. */
  readonly settings: readonly (keyof Settings)[];
  readonly means?: {
    /** A reply's reasoning survives without the provider's own items. Default: true. */
    readonly reasoning?: boolean;
    /** So does that of an earlier reply in a request. Default: `reasoning`. */
    readonly restatedReasoning?: boolean;
    /** Custom (free text) tools. Default: false. */
    readonly custom?: boolean;
    /** Tools in namespaces. Default: false. */
    readonly namespaces?: boolean;
  };
  /** Do the provider's SDKs obey `x-should-retry`? Default: true. */
  readonly obeysShouldRetry?: boolean;
}
