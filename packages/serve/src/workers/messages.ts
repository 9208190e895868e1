import type { ErrorCode } from '@vf/core/errors';

/** What the server tells a worker. */
export type ToWorker =
  | { readonly type: 'run'; readonly id: number; readonly payload: Uint8Array }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'close' };

/** What a worker tells the server; `sampled`: a model has answered, so the run cannot be played anew. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'sampled'; readonly id: number }
  | { readonly type: 'delta'; readonly id: number; readonly body: Uint8Array }
  | { readonly type: 'reply'; readonly id: number; readonly body: Uint8Array }
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly code: ErrorCode;
      readonly message: string;
    };
