import type { ToolSpec } from '../call.ts';
import type { Message, AssistantMessage } from '../message.ts';
import type { MessageGraph } from './graph.ts';
import type { TraceNode } from './node.ts';

/** One conversation from a root to a leaf: one training sample. */
export interface Branch {
  /** Node indices, root first. */
  readonly path: readonly number[];
  readonly nodes: readonly TraceNode[];
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Nodes whose sampled tokens train here and in no earlier branch. */
  readonly trains: readonly number[];
  /** False for a compaction attempt that the agent never resumed from, and where nothing is left to train. */
  readonly trainable: boolean;
}

/**
 * All branches, in the order of their leaves. A reply shared by several trains in the first that
 * trains at all.
 */
export function branchesOf(graph: MessageGraph): Branch[] {
  const taken = new Set<number>();
  const resumed = resumedCompactions(graph);
  return graph.leaves().map((leaf) => {
    const branch = branchTo(graph, leaf);
    const isDropped = isCompactionAttempt(graph, leaf) && !resumed.has(leaf);
    const trains = isDropped
      ? []
      : branch.path.filter((node) => graph.nodes[node]?.sampled === true && !taken.has(node));
    for (const node of trains) taken.add(node);
    return { ...branch, trains, trainable: trains.length > 0 };
  });
}

function isCompactionAttempt(graph: MessageGraph, leaf: number): boolean {
  return graph.nodes[leaf]?.links?.some((link) => link.type === 'compaction_attempt') ?? false;
}

/** The conversation that ends at `leaf`, whatever other branches share of it. */
export function branchTo(graph: MessageGraph, leaf: number): Omit<Branch, 'trains' | 'trainable'> {
  const path = graph.pathTo(leaf);
  const nodes = path.flatMap((index) => graph.nodes[index] ?? []);
  return { path, nodes, messages: nodes.map((node) => node.message), tools: nodes[0]?.tools ?? [] };
}

function resumedCompactions(graph: MessageGraph): Set<number> {
  const links = graph.nodes.flatMap((node) => node.links ?? []);
  return new Set(links.filter((link) => link.type === 'compaction').map((link) => link.node));
}

/**
 * The leaf of the main branch: among roots whose conversation holds the task's prompt, the one with most sampled
 * replies; its last leaf. Without such a root, all roots count. null for an empty graph.
 */
export function mainLeaf(graph: MessageGraph, prompt: string | null): number | null {
  const roots = new Map<number, { sampled: number; holdsPrompt: boolean; lastLeaf: number }>();
  const rootOf: number[] = [];
  const leaves = new Set(graph.leaves());
  graph.nodes.forEach((node, index) => {
    const root = node.parent === null ? index : (rootOf[node.parent] ?? index);
    rootOf.push(root);
    const seen = roots.get(root) ?? { sampled: 0, holdsPrompt: false, lastLeaf: index };
    if (node.sampled) seen.sampled++;
    if (prompt !== null && nodeHolds(node, prompt)) seen.holdsPrompt = true;
    if (leaves.has(index)) seen.lastLeaf = index;
    roots.set(root, seen);
  });
  const all = [...roots.values()];
  const holding = all.filter((root) => root.holdsPrompt);
  const candidates = holding.length > 0 ? holding : all;
  const best = candidates.reduce<(typeof all)[number] | null>(
    (a, b) => (a === null || b.sampled > a.sampled ? b : a),
    null,
  );
  return best?.lastLeaf ?? null;
}

/** A rewritten prompt counts in the form that the agent sent as well. */
function nodeHolds(node: TraceNode, prompt: string): boolean {
  const text = prompt.trim();
  return holds(node.message, text) || (node.said !== undefined && holds(node.said, text));
}

function holds(message: Message, prompt: string): boolean {
  if (message.role !== 'user') return false;
  if (typeof message.content === 'string') return message.content.includes(prompt);
  return message.content.some((part) => part.type === 'text' && part.text.includes(prompt));
}

/** The last thing the model said on a path; null when it said nothing. */
export function lastReplyOn(branch: Pick<Branch, 'messages'>): AssistantMessage | null {
  return branch.messages.findLast((message) => message.role === 'assistant') ?? null;
}
