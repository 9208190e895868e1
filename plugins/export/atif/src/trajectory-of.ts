import type { Branch, Episode, Trace } from '@vf/core';
import type { Config } from './config.ts';
import type { AtifAgent, Trajectory } from './document.ts';
import { stepsOf } from './steps.ts';
import { toolDefinition } from './tool-call.ts';

const schemaVersion = 'ATIF-v1.7';

/**
 * The main branch as the document; each other branch is a trajectory inside it, whose common beginning is marked as
 * copied. null for a trace without a message.
 */
export function trajectoryOf(episode: Episode, trace: Trace, config: Config): Trajectory | null {
  const { branches } = trace;
  const main = mainOf(trace, branches);
  if (main === null) return null;
  const shown = new Set(main.path);
  const others = branches.flatMap((branch, index) => {
    if (branch === main) return [];
    const steps = stepsOf(trace, branch.path, shown, config);
    for (const at of branch.path) shown.add(at);
    return {
      schema_version: schemaVersion,
      trajectory_id: `${trace.id}/branch-${index + 1}`,
      agent: agentOf(trace, branch),
      steps,
      extra: { branch: index + 1 },
    } as const;
  });
  const steps = stepsOf(trace, main.path, new Set(), config);
  return {
    schema_version: schemaVersion,
    session_id: episode.id,
    trajectory_id: trace.id,
    agent: agentOf(trace, main),
    steps,
    final_metrics: totalsOf(trace, steps.length),
    ...(others.length === 0 ? {} : { subagent_trajectories: others }),
    extra: outcomeOf(episode, trace),
  };
}

function mainOf({ messages }: Trace, branches: readonly Branch[]): Branch | null {
  const main = branches.find(
    (branch) =>
      branch.messages.length === messages.length && branch.messages.at(-1) === messages.at(-1),
  );
  return main ?? branches[0] ?? null;
}

function agentOf({ agent }: Trace, { tools }: Branch): AtifAgent {
  return {
    name: agent.harness.id || agent.name,
    version: agent.harness.version ?? 'unknown',
    ...(agent.model === '' ? {} : { model_name: agent.model }),
    ...(tools.length === 0 ? {} : { tool_definitions: tools.map(toolDefinition) }),
    extra: { role: agent.name, runtime: agent.runtime.id },
  };
}

/** Sums of all calls of the trace, those of other branches and failed ones among them. */
function totalsOf({ usage }: Trace, steps: number): NonNullable<Trajectory['final_metrics']> {
  return {
    total_prompt_tokens: usage.inputTokens,
    total_completion_tokens: usage.outputTokens,
    total_cached_tokens: usage.cachedInputTokens ?? 0,
    ...(usage.cost === undefined ? {} : { total_cost_usd: usage.cost }),
    total_steps: steps,
  };
}

/** The format has no field for a score; null is a rollout without one. */
function outcomeOf(episode: Episode, trace: Trace): Readonly<Record<string, unknown>> {
  return {
    task: episode.task.key,
    attempt: episode.attempt,
    episode: episode.id,
    reward: episode.errors.length > 0 ? null : trace.reward,
    rewards: Object.fromEntries(
      Object.entries(trace.rewards).map(([name, record]) => [name, record?.score ?? null]),
    ),
    ok: trace.ok,
    stop: trace.stopCondition,
    errors: [...episode.errors, ...trace.errors].map(({ type, message }) => ({ type, message })),
  };
}
