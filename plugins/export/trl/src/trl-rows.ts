import type { ExportRequest } from '@vf/core';
import { provenanceOf, samplesOf, trainableTraces } from '@vf/export-kit';
import type { Provenance } from '@vf/export-kit';

/** One completion for `rollout_func` of TRL's GRPOTrainer; keys that it does not know reach the reward functions. */
export interface TrlRow extends Provenance {
  readonly prompt_ids: readonly number[];
  readonly completion_ids: readonly number[];
  /** One for each completion id, 0 where `env_mask` is 0. */
  readonly logprobs: readonly number[];
  /** 1: the model's token, which trains; 0: the environment's. */
  readonly env_mask: readonly (0 | 1)[];
  readonly reward: number;
  /** Which branch of the trace it is, and how many of them train: each is a completion of its own. */
  readonly branch: number;
  readonly branches: number;
}

/** A row for each branch that trains. */
export async function* trlRows(
  request: Pick<ExportRequest, 'episodes' | 'omit'>,
): AsyncGenerator<TrlRow, void> {
  for await (const { episode, trace, reward } of trainableTraces(request, { logprobs: true })) {
    const samples = samplesOf(trace);
    const provenance = provenanceOf(episode, trace);
    for (const { promptIds, responseIds, mask, logprobs, branch } of samples) {
      if (logprobs === null) continue;
      yield {
        prompt_ids: promptIds,
        completion_ids: responseIds,
        logprobs,
        env_mask: mask,
        reward,
        branch,
        branches: samples.length,
        ...provenance,
      };
    }
  }
}
