import type { Message } from '@vf/core';
import type { MessageGraph, Position } from '@vf/core/trace';

/** The form of a recorded message that the model sees, when it is not the one that was said. */
export function sentForm(graph: MessageGraph, node: number | undefined): Message | undefined {
  const recorded = node === undefined ? undefined : graph.nodes[node];
  return recorded?.said === undefined ? undefined : recorded.message;
}

/** The last `count` nodes on the way to `at`, in order. */
export function lastNodes(graph: MessageGraph, at: Position, count: number): number[] {
  const nodes: number[] = [];
  let node = at.node;
  while (node !== null && nodes.length < count) {
    nodes.push(node);
    node = graph.nodes[node]?.parent ?? null;
  }
  return nodes.reverse();
}
