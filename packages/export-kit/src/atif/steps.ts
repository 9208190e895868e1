import type { AssistantMessage, ToolMessage, Trace, TraceNode } from '@vf/core';
import { promptIdsOf, tokenCallsOf } from '../tokens/token-call.ts';
import type { TokenCall } from '../tokens/token-call.ts';
import { atifContent } from './content.ts';
import type { Metrics, ObservationResult, Step } from './document.ts';
import { atifToolCall } from './tool-call.ts';

type OpenStep = Omit<Step, 'step_id'>;

/** What the steps of all branches of a trace are made of. */
export interface Told {
  readonly trace: Trace;
  readonly calls: ReadonlyMap<number, TokenCall>;
  /** Ids and logprobs too, where the trace has them. */
  readonly tokens: boolean;
}

export function toldBy(trace: Trace, tokens: boolean): Told {
  const calls = new Map(tokenCallsOf(trace).map((call) => [call.node, call]));
  return { trace, calls, tokens };
}

/**
 * The steps of a conversation: one for each message, but results of tools, which stand with the step that called.
 * @param path node indices, root first
 * @param shown nodes that another document of the trace holds already: context here
 */
export function stepsOf(told: Told, path: readonly number[], shown: ReadonlySet<number>): Step[] {
  const { nodes } = told.trace.graph;
  const steps: OpenStep[] = [];
  for (const at of path) {
    const node = nodes[at];
    if (node === undefined) continue;
    if (node.message.role === 'tool') addResult(steps, node, node.message);
    else steps.push(stepOf(told, node, at, shown.has(at)));
  }
  return steps.map((step, index) => ({ step_id: index + 1, ...step }));
}

function stepOf(told: Told, node: TraceNode, at: number, isShown: boolean): OpenStep {
  const { message } = node;
  const call = told.calls.get(at);
  const copied = isShown ? { is_copied_context: true as const } : {};
  if (message.role !== 'assistant') {
    const source = message.role === 'system' ? 'system' : 'user';
    return { ...timeOf(node), source, message: atifContent(message.content), ...copied };
  }
  return {
    ...timeOf(node),
    source: 'agent',
    message: message.content ?? '',
    ...replyOf(message),
    ...(call === undefined ? { is_copied_context: true } : { ...callOf(told, call), ...copied }),
  };
}

function timeOf({ timestamp }: TraceNode): Pick<Step, 'timestamp'> {
  return timestamp > 0 ? { timestamp: new Date(timestamp * 1000).toISOString() } : {};
}

function replyOf({ reasoning, toolCalls = [] }: AssistantMessage) {
  return {
    ...(reasoning == null ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(atifToolCall) }),
  };
}

function callOf({ trace, tokens }: Told, from: TokenCall) {
  const { node, call, responseIds, logprobs } = from;
  const usage = call?.usage ?? null;
  const cost = call?.cost ?? usage?.cost;
  const metrics: Metrics = {
    ...(usage === null
      ? {}
      : {
          prompt_tokens: usage.inputTokens,
          completion_tokens: usage.outputTokens,
          cached_tokens: usage.cachedInputTokens ?? 0,
        }),
    ...(cost == null ? {} : { cost_usd: cost }),
    ...(tokens && responseIds.length > 0
      ? {
          prompt_token_ids: promptIdsOf(trace, node),
          completion_token_ids: responseIds,
          ...(logprobs === null ? {} : { logprobs }),
        }
      : {}),
  };
  return {
    llm_call_count: 1,
    ...(call === null ? {} : { model_name: call.model }),
    ...(Object.keys(metrics).length === 0 ? {} : { metrics }),
  };
}

/** A result names the call only where the step holds it; one that nobody called for has a step of its own. */
function addResult(steps: OpenStep[], node: TraceNode, message: ToolMessage): void {
  const last = steps.findLastIndex(({ source }) => source === 'agent');
  const step = steps[last];
  const isCalled = step?.tool_calls?.some(({ tool_call_id: id }) => id === message.toolCallId);
  const result: ObservationResult = {
    ...(isCalled === true ? { source_call_id: message.toolCallId } : {}),
    content: atifContent(message.content),
    ...(message.isError === true ? { extra: { is_error: true } } : {}),
  };
  if (step === undefined) {
    const observation = { results: [result] };
    steps.push({ ...timeOf(node), source: 'system', message: '', observation });
  } else {
    const results = [...(step.observation?.results ?? []), result];
    steps[last] = { ...step, observation: { results } };
  }
}
