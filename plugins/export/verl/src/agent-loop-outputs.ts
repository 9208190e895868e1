import type { ExportRequest, Trace } from '@vf/core';
import { provenanceOf, samplesOf, trainableTraces } from '@vf/export-kit';
import type { Provenance } from '@vf/export-kit';

/** `AgentLoopOutput` of verl 0.9; seconds in `metrics` are those of the whole rollout. */
export interface AgentLoopOutput {
  readonly prompt_ids: readonly number[];
  readonly response_ids: readonly number[];
  /** 1: the model's token; 0: a tool's or the user's. */
  readonly response_mask: readonly (0 | 1)[];
  /** Absent when the engine gave none. */
  readonly response_logprobs?: readonly number[];
  readonly reward_score: number;
  /** Messages of user, assistant and tools. */
  readonly num_turns: number;
  readonly metrics: {
    readonly generate_sequences: number;
    readonly tool_calls: number;
    readonly compute_score: number;
    readonly num_preempted: number;
  };
  readonly extra_fields: Provenance & { readonly branch: number; readonly branches: number };
}

/** An output for each branch that trains; the reward is the rollout's. */
export async function* agentLoopOutputs(
  request: Pick<ExportRequest, 'episodes' | 'omit'>,
): AsyncGenerator<AgentLoopOutput, void> {
  for await (const { episode, trace, reward } of trainableTraces(request, { logprobs: false })) {
    const samples = samplesOf(trace);
    const provenance = provenanceOf(episode, trace);
    for (const { promptIds, responseIds, mask, logprobs, branch, messages } of samples) {
      yield {
        prompt_ids: promptIds,
        response_ids: responseIds,
        response_mask: mask,
        ...(logprobs === null ? {} : { response_logprobs: logprobs }),
        reward_score: reward,
        num_turns: messages,
        metrics: metricsOf(trace),
        extra_fields: { branch, branches: samples.length, ...provenance },
      };
    }
  }
}

/** How verl says that it does not know. */
const unknownCount = -1;

function metricsOf({ timing, toolCalls }: Trace): AgentLoopOutput['metrics'] {
  const { agent, scoring } = timing;
  return {
    generate_sequences: agent?.model ?? 0,
    tool_calls: toolCalls.reduce((sum, { start, end }) => sum + end - start, 0),
    compute_score: scoring === undefined ? 0 : scoring.end - scoring.start,
    num_preempted: unknownCount,
  };
}
