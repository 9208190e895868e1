import type { Episode, ExportRequest, Trace } from '@vf/core';
import { groupOf, promptIdsOf, provenanceOf, tokenCallsOf, trainableTraces } from '@vf/export-kit';
import type { Provenance } from '@vf/export-kit';

/** One call of the model. `reward` stands on the last of a rollout. */
export interface Triplet {
  readonly prompt: { readonly token_ids: readonly number[] };
  readonly response: {
    readonly token_ids: readonly number[];
    readonly log_probs: readonly number[] | null;
  };
  readonly reward: number | null;
  readonly metadata: { readonly server: { readonly model: string } };
}

/** `CompletedRollout` of Agent Lightning 1.0: what its adapter makes samples of. Times are Unix seconds. */
export interface CompletedRollout {
  readonly rollout_id: string;
  /** Rollouts of one id are a group. */
  readonly data_id: string;
  readonly step: number;
  readonly sample_idx_in_step: number;
  readonly enqueue_time: number;
  readonly finished_at: number | null;
  readonly input: Readonly<Record<string, unknown>>;
  readonly final_reward: number;
  readonly triplets: readonly Triplet[];
  readonly metadata: Provenance;
  readonly rollout_state: 'succeeded';
}

/** A rollout for each trace that can train. */
export async function* completedRollouts(
  request: Pick<ExportRequest, 'episodes' | 'omit'>,
): AsyncGenerator<CompletedRollout, void> {
  for await (const { episode, trace, reward } of trainableTraces(request, { logprobs: false })) {
    yield rolloutOf(episode, trace, reward);
  }
}

function rolloutOf(episode: Episode, trace: Trace, reward: number): CompletedRollout {
  return {
    rollout_id: trace.id,
    data_id: groupOf(episode, trace),
    step: 0,
    sample_idx_in_step: episode.attempt - 1,
    enqueue_time: trace.timing.start,
    finished_at: (trace.timing.scoring ?? trace.timing.agent)?.end ?? null,
    input: trace.task.data,
    final_reward: reward,
    triplets: tripletsOf(trace, reward),
    metadata: provenanceOf(episode, trace),
    rollout_state: 'succeeded',
  };
}

/** Replies without a token are skipped, as its own adapter does. */
function tripletsOf(trace: Trace, reward: number): Triplet[] {
  const calls = tokenCallsOf(trace).filter(({ responseIds }) => responseIds.length > 0);
  return calls.map(({ node, responseIds, logprobs, call }, at) => ({
    prompt: { token_ids: promptIdsOf(trace, node) },
    response: { token_ids: responseIds, log_probs: logprobs },
    reward: at === calls.length - 1 ? reward : null,
    metadata: { server: { model: call?.model ?? trace.agent.model } },
  }));
}
