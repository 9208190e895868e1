import type { Prefix } from '@vf/core';
import type { MessageGraph } from '@vf/core/trace';
import type { ReadRequest } from '../request/read-request.ts';

/**
 * The recorded turn that a request continues. Its tokens are known when it ends at a sampled reply that has some:
 * prompt = the path's tokens up to the first sampled one of that reply, completion = from there.
 */
export function prefixOf(graph: MessageGraph, request: Pick<ReadRequest, 'at' | 'known'>): Prefix {
  return { messages: request.known, tokens: tokensAt(graph, request.at.node) };
}

function tokensAt(graph: MessageGraph, node: number | null): Prefix['tokens'] {
  if (node === null) return null;
  const mask = graph.nodes[node]?.sampled === true ? graph.nodes[node]?.tokens?.mask : undefined;
  const sampledFrom = mask?.indexOf(1) ?? -1;
  if (mask === undefined || sampledFrom < 0) return null;
  const ids = graph.pathTo(node).flatMap((index) => [...(graph.nodes[index]?.tokens?.ids ?? [])]);
  const start = ids.length - mask.length + sampledFrom;
  if (start === 0) return null;
  return {
    promptIds: Int32Array.from(ids.slice(0, start)),
    completionIds: Int32Array.from(ids.slice(start)),
  };
}
