import type { RoutedExperts, Trace, TraceNode } from '@vf/core';
import type { Written } from '@vf/core/trace';
import { lastExperts } from '@vf/wire';
import type { JsonRecord } from '../request/is-record.ts';

/** What may change in a node after it went out. */
interface SentNode {
  readonly links: number;
  readonly experts: RoutedExperts | undefined;
}

/** A trace, and how much of it went out. */
export class SentTrace {
  readonly trace: Trace;
  written: Written = { nodes: 0, calls: 0 };
  isOpen = false;
  #nodes: SentNode[] = [];

  constructor(trace: Trace) {
    this.trace = trace;
  }

  /** Did nodes or calls come? */
  get hasNews(): boolean {
    const { graph, calls } = this.trace;
    return graph.nodes.length > this.written.nodes || calls.length > this.written.calls;
  }

  /** What nodes got after they went out, by their index: causal links, and experts that a later turn knew better. */
  changes(): { readonly links?: JsonRecord; readonly routing_repairs?: JsonRecord } {
    const links: Record<string, unknown> = {};
    const repairs: Record<string, unknown> = {};
    for (const [at, sent] of this.#nodes.entries()) {
      const node = this.trace.graph.nodes[at];
      const more = node?.links?.slice(sent.links) ?? [];
      if (more.length > 0) links[at] = more.map(({ node: cause, type }) => ({ node: cause, type }));
      const experts = node?.tokens?.routedExperts;
      if (experts !== undefined && experts !== sent.experts) repairs[at] = lastExperts(experts);
    }
    return {
      ...(Object.keys(links).length === 0 ? {} : { links }),
      ...(Object.keys(repairs).length === 0 ? {} : { routing_repairs: repairs }),
    };
  }

  wasSent(): void {
    const { graph, calls } = this.trace;
    this.isOpen = true;
    this.#nodes = graph.nodes.map(sentNode);
    this.written = { nodes: graph.nodes.length, calls: calls.length };
  }
}

function sentNode({ links, tokens }: TraceNode): SentNode {
  return { links: links?.length ?? 0, experts: tokens?.routedExperts };
}
