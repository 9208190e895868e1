import type { CausalLink, Trace } from '@vf/core';

/** A branch as far as no earlier one has shown it. */
export interface Section {
  /** From 1, in the order of their leaves. */
  readonly branch: number;
  readonly isMain: boolean;
  /** Node indices, in order. */
  readonly nodes: readonly number[];
  /** The last node that an earlier section shows; null for a conversation of its own. */
  readonly after: number | null;
  /** What caused its first node. */
  readonly links: readonly CausalLink[];
}

/** Every node once, branch by branch. */
export function sectionsOf(trace: Trace): Section[] {
  const seen = new Set<number>();
  const main = mainBranch(trace);
  return trace.branches.map(({ path }, index) => {
    const nodes = path.filter((node) => !seen.has(node));
    for (const node of nodes) seen.add(node);
    const first = nodes[0];
    return {
      branch: index + 1,
      isMain: index === main,
      nodes,
      after: first === undefined ? null : (trace.graph.nodes[first]?.parent ?? null),
      links: first === undefined ? [] : (trace.graph.nodes[first]?.links ?? []),
    };
  });
}

/** One branch from its root to its leaf. */
export function wholeBranch(trace: Trace, branch: number): Section | null {
  const path = trace.branches[branch - 1]?.path;
  if (path === undefined) return null;
  return { branch, isMain: mainBranch(trace) === branch - 1, nodes: path, after: null, links: [] };
}

function mainBranch(trace: Trace): number {
  const { messages } = trace;
  return trace.branches.findIndex(
    (branch) =>
      branch.messages.length === messages.length && branch.messages.at(-1) === messages.at(-1),
  );
}

/** Turns are counted over all branches, in the order in which they were sampled. */
export function turnNumbers(trace: Trace): Map<number, number> {
  const numbers = new Map<number, number>();
  trace.graph.nodes.forEach((node, index) => {
    if (node.sampled) numbers.set(index, numbers.size + 1);
  });
  return numbers;
}
