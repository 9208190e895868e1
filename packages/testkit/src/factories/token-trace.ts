import type { AssistantMessage, Message, Trace, TraceNode } from '@vf/core';
import { makeTrace } from './trace.ts';
import type { TraceOptions } from './trace.ts';

/**
 * A node in short: its parent, the first letter of its role, was it sampled, its token ids, and a bit for each of them
 * (1 = sampled). Its message is made up.
 */
export type TokenNode = readonly [
  parent: number | null,
  role: 's' | 'u' | 'a' | 't',
  sampled: 0 | 1,
  ids: readonly number[],
  mask: string,
];

export interface TokenTraceOptions extends Omit<TraceOptions, 'turns'> {
  readonly nodes: readonly TokenNode[];
  /** Of each sampled token; null: the engine gave none. Default −0.5. */
  readonly logprob?: number | null;
}

/** A finished, scored trace whose nodes own the given tokens; a node without ids has no tokens at all. */
export function makeTokenTrace(options: TokenTraceOptions): Trace {
  const { nodes, logprob = -0.5, ...rest } = options;
  const trace = makeTrace({ ...rest, turns: [] });
  nodes.forEach((node, at) => trace.graph.restore(nodeOf(node, at, logprob, trace.timing.start)));
  const [call] = makeTrace(rest).calls;
  nodes.forEach(([, , sampled], at) => {
    if (sampled === 1 && call !== undefined) trace.calls.push({ ...call, node: at });
  });
  return trace;
}

function nodeOf(
  [parent, role, sampled, ids, bits]: TokenNode,
  at: number,
  logprob: number | null,
  timestamp: number,
): TraceNode {
  const mask = Uint8Array.from(bits, Number);
  const count = mask.reduce((sum, bit) => sum + bit, 0);
  const logprobs = new Float32Array(logprob === null ? 0 : count).fill(logprob ?? 0);
  return {
    parent,
    message: messageOf(role, at),
    sampled: sampled === 1,
    timestamp,
    ...(ids.length === 0
      ? {}
      : { tokens: { ids: Int32Array.from(ids), mask, isContent: null, logprobs } }),
  };
}

function messageOf(role: TokenNode[1], at: number): Message {
  const content = `message ${at}`;
  if (role === 's') return { role: 'system', content };
  if (role === 'u') return { role: 'user', content };
  if (role === 't') return { role: 'tool', toolCallId: `call-${at}`, content };
  return { role: 'assistant', content } satisfies AssistantMessage;
}
