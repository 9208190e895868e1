import type { Episode, Trace } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { usageAndTimeColumns } from './column.ts';
import type { Column, Row } from './column.ts';

/** The columns that every table of rollouts has, in their order. */
export const rolloutColumns: readonly Column[] = [
  { name: 'episode', type: 'text' },
  { name: 'trace', type: 'text' },
  { name: 'run', type: 'text' },
  { name: 'taskset', type: 'text' },
  { name: 'task', type: 'text' },
  { name: 'task_name', type: 'text' },
  { name: 'task_hash', type: 'text' },
  { name: 'attempt', type: 'integer' },
  { name: 'agent', type: 'text' },
  { name: 'trainable', type: 'boolean' },
  { name: 'model', type: 'text' },
  { name: 'harness', type: 'text' },
  { name: 'harness_version', type: 'text' },
  { name: 'runtime', type: 'text' },
  { name: 'ok', type: 'boolean' },
  { name: 'reward', type: 'number' },
  { name: 'stop', type: 'text' },
  { name: 'is_timeout', type: 'boolean' },
  { name: 'is_truncated', type: 'boolean' },
  { name: 'error', type: 'text' },
  { name: 'error_message', type: 'text' },
  { name: 'turns', type: 'integer' },
  { name: 'calls', type: 'integer' },
  { name: 'failed_calls', type: 'integer' },
  { name: 'tool_calls', type: 'integer' },
  { name: 'branches', type: 'integer' },
  ...usageAndTimeColumns,
  { name: 'agent_seconds', type: 'number' },
  { name: 'model_seconds', type: 'number' },
  { name: 'prompt', type: 'text' },
  { name: 'answer', type: 'text' },
];

/** One rollout as a row; `reward.NAME` and `metric.NAME` stand beside the fixed columns. Times are Unix seconds. */
export function rolloutRow(episode: Episode, trace: Trace): Row {
  return {
    ...identity(episode, trace),
    ...outcome(episode, trace),
    ...effort(trace),
    ...times(trace),
    prompt: promptOf(trace),
    answer: trace.lastReply,
    ...scores(trace),
  };
}

function identity(episode: Episode, trace: Trace): Row {
  const name = trace.task.data['name'];
  return {
    episode: episode.id,
    trace: trace.id,
    run: episode.run?.name ?? episode.run?.id ?? null,
    taskset: trace.task.type,
    task: trace.task.key,
    task_name: typeof name === 'string' ? name : null,
    task_hash: trace.task.hash,
    attempt: episode.attempt,
    agent: trace.agent.name,
    trainable: trace.agent.trainable,
    model: trace.agent.model,
    harness: trace.agent.harness.id,
    harness_version: trace.agent.harness.version,
    runtime: trace.agent.runtime.id,
  };
}

/** An episode that failed as a whole leaves its traces without a score. */
function outcome(episode: Episode, trace: Trace): Row {
  const error = episode.errors.at(-1) ?? (trace.ok ? undefined : trace.errors.at(-1));
  return {
    ok: trace.ok && episode.errors.length === 0,
    reward: episode.errors.length > 0 ? null : trace.reward,
    stop: trace.stopCondition,
    is_timeout: trace.isTimeout,
    is_truncated: trace.isTruncated,
    error: error?.type ?? null,
    error_message: error?.message ?? null,
  };
}

function effort(trace: Trace): Row {
  const { usage, calls } = trace;
  const replies = trace.graph.nodes.filter(({ sampled }) => sampled);
  return {
    turns: trace.turns,
    calls: calls.length,
    failed_calls: calls.filter(({ error }) => error !== null).length,
    tool_calls: replies.reduce(
      (sum, { message }) =>
        sum + (message.role === 'assistant' ? (message.toolCalls?.length ?? 0) : 0),
      0,
    ),
    branches: trace.graph.leaves().length,
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens ?? 0,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens ?? 0,
    cost: usage.cost ?? null,
  };
}

function times({ timing }: Trace): Row {
  const ends = [timing.boot, timing.setup, timing.agent, timing.finalize, timing.scoring].flatMap(
    (span) => (span === undefined ? [] : [span.end]),
  );
  const { agent } = timing;
  return {
    start: timing.start,
    seconds: ends.length === 0 ? null : Math.max(...ends) - timing.start,
    agent_seconds: agent === undefined ? null : agent.end - agent.start,
    model_seconds: agent?.model ?? null,
  };
}

/** The task's own words, or what setup told the agent instead. */
function promptOf(trace: Trace): string | null {
  const prompt = trace.effectiveTask?.prompt ?? trace.task.data['prompt'];
  if (typeof prompt === 'string') return prompt;
  const asked = trace.messages.find(({ role }) => role === 'user');
  return asked === undefined ? null : textOf(asked.content);
}

function scores(trace: Trace): Row {
  const rewards = Object.entries(trace.rewards).map(
    ([name, record]) => [`reward.${name}`, record?.score ?? null] as const,
  );
  const metrics = Object.entries(trace.metrics).map(
    ([name, value]) => [`metric.${name}`, value] as const,
  );
  return Object.fromEntries([...rewards, ...metrics]);
}
