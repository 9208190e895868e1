import type { MessageGraph } from '@vf/core/trace';
import type { ReadRequest } from './read-request.ts';

/** A body that is no JSON object: relayed as it came, recorded as a call without messages. */
export function unreadable(
  graph: MessageGraph,
  body: readonly Uint8Array[],
  path: string,
): ReadRequest {
  const settings = { model: '', stream: false };
  return {
    parsed: false,
    top: {},
    settings,
    tools: [],
    at: graph.start([]),
    tail: [],
    known: 0,
    continues: null,
    edited: () => ({
      body,
      path,
      edits: [],
      settings,
      call: () => ({ preamble: [], messages: [], tools: [], settings }),
    }),
    settle: () => undefined,
  };
}
