import type { AssistantMessage, Episode, Trace, TraceNode } from '@vf/core';
import type { ModelCall } from '@vf/core';
import { usageAndTimeColumns } from './column.ts';
import type { Column, Row } from './column.ts';

/** The columns of a table of turns, in their order. */
export const turnColumns: readonly Column[] = [
  { name: 'episode', type: 'text' },
  { name: 'trace', type: 'text' },
  { name: 'task', type: 'text' },
  { name: 'attempt', type: 'integer' },
  { name: 'agent', type: 'text' },
  { name: 'turn', type: 'integer' },
  { name: 'node', type: 'integer' },
  { name: 'parent', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'finish', type: 'text' },
  ...usageAndTimeColumns,
  { name: 'sampled_tokens', type: 'integer' },
  { name: 'text', type: 'text' },
  { name: 'reasoning', type: 'text' },
  { name: 'tools', type: 'text' },
  { name: 'tool_calls', type: 'text' },
];

/**
 * A row for each reply that was sampled, in the order in which they were recorded. `tools` are the names that were
 * called with spaces between, `tool_calls` their name, id and arguments as JSON. Times are Unix seconds.
 */
export function turnRows(episode: Episode, trace: Trace): Row[] {
  const callOf = new Map<number, ModelCall>();
  for (const call of trace.calls) if (call.node !== null) callOf.set(call.node, call);
  const replies = trace.graph.nodes.flatMap((node, at) => {
    const { message } = node;
    return node.sampled && message.role === 'assistant' ? [{ node, at, message }] : [];
  });
  return replies.map(({ node, at, message }, index) => ({
    episode: episode.id,
    trace: trace.id,
    task: trace.task.key,
    attempt: episode.attempt,
    agent: trace.agent.name,
    turn: index + 1,
    node: at,
    parent: node.parent,
    ...ofCall(callOf.get(at)),
    ...ofReply(node, message),
  }));
}

function ofCall(call: ModelCall | undefined): Row {
  return {
    model: call?.model ?? null,
    finish: call?.finish ?? null,
    input_tokens: call?.usage?.inputTokens ?? null,
    cached_input_tokens: call?.usage?.cachedInputTokens ?? null,
    output_tokens: call?.usage?.outputTokens ?? null,
    reasoning_tokens: call?.usage?.reasoningTokens ?? null,
    cost: call?.cost ?? call?.usage?.cost ?? null,
    start: call?.start ?? null,
    seconds: call === undefined ? null : call.end - call.start,
  };
}

function ofReply({ tokens }: TraceNode, message: AssistantMessage): Row {
  const calls = message.toolCalls ?? [];
  return {
    sampled_tokens: tokens === undefined ? null : tokens.mask.reduce((sum, bit) => sum + bit, 0),
    text: message.content,
    reasoning: message.reasoning ?? null,
    tools: calls.length === 0 ? null : calls.map(({ name }) => name).join(' '),
    tool_calls: calls.length === 0 ? null : JSON.stringify(calls),
  };
}
