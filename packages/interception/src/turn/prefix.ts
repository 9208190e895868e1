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
  const ids = idsTo(graph, node);
  const start = ids.length - mask.length + sampledFrom;
  if (start === 0) return null;
  return { promptIds: ids.subarray(0, start), completionIds: ids.subarray(start) };
}

function idsTo(graph: MessageGraph, node: number): Int32Array {
  const slices = graph.pathTo(node).flatMap((index) => graph.nodes[index]?.tokens?.ids ?? []);
  const ids = new Int32Array(slices.reduce((sum, slice) => sum + slice.length, 0));
  let at = 0;
  for (const slice of slices) {
    ids.set(slice, at);
    at += slice.length;
  }
  return ids;
}
