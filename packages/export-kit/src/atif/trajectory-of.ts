import type { Branch, Trace } from '@vf/core';
import type { AtifAgent, Trajectory } from './document.ts';
import { stepsOf, toldBy } from './steps.ts';
import { toolDefinition } from './tool-call.ts';

const schemaVersion = 'ATIF-v1.7';

export interface TrajectoryOptions {
  /** Token ids and logprobs of each call, where the trace has them. */
  readonly tokens?: boolean;
  /** The run of the agent that the trace is of. */
  readonly session?: string;
  /** What the format has no field for. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * The main branch as the document; each other branch is a trajectory inside it, whose common beginning is marked as
 * copied. null for a trace without a message.
 */
export function trajectoryOf(
  trace: Trace,
  { tokens = false, session, extra }: TrajectoryOptions = {},
): Trajectory | null {
  const { branches } = trace;
  const main = mainOf(trace, branches);
  if (main === null) return null;
  const told = toldBy(trace, tokens);
  const shown = new Set(main.path);
  const others = branches.flatMap((branch, index) => {
    if (branch === main) return [];
    const steps = stepsOf(told, branch.path, shown);
    for (const at of branch.path) shown.add(at);
    return {
      schema_version: schemaVersion,
      trajectory_id: `${trace.id}/branch-${index + 1}`,
      agent: agentOf(trace, branch),
      steps,
      extra: { branch: index + 1 },
    } as const;
  });
  const steps = stepsOf(told, main.path, new Set());
  return {
    schema_version: schemaVersion,
    ...(session === undefined ? {} : { session_id: session }),
    trajectory_id: trace.id,
    agent: agentOf(trace, main),
    steps,
    final_metrics: totalsOf(trace, steps.length),
    ...(others.length === 0 ? {} : { subagent_trajectories: others }),
    ...(extra === undefined ? {} : { extra }),
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
