import type { Dialect } from '@vf/core';
import type { MessageGraph } from '@vf/core/trace';
import type { ReadRequest } from './read-request.ts';

export interface RequestMemoryOptions {
  /** Node of the recorded reply that the provider gave this id, for `previous_response_id` and its like. */
  replyNode?(id: string): number | null;
}
/** What a rollout has sent in one dialect: finds what is new in a request without touching what is old. */
export declare class RequestMemory {
  constructor(graph: MessageGraph, dialect: Dialect, options?: RequestMemoryOptions);
  /** Never throws. `body`: unpacked bytes as a list of chunks; `path` with its query. */
  read(body: readonly Uint8Array[], path: string): ReadRequest;
}
