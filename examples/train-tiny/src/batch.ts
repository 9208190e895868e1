import type { TrlRow } from '@vf/export-trl';
import { groupAdvantages, grpo, tokenWeights } from '@vf/stats';
import type { TrainerRow } from './trainer.ts';

/** What a sample brings to a batch. */
export type BatchSample = Pick<
  TrlRow,
  'group' | 'prompt_ids' | 'completion_ids' | 'env_mask' | 'logprobs' | 'reward'
>;

/** Samples as the trainer takes them. */
export interface Batch {
  /** Samples that are the same token for token are one row, which counts as often as they are. */
  readonly rows: readonly TrainerRow[];
  /** The row of each sample. */
  readonly rowOf: readonly number[];
}

/**
 * GRPO: the rewards of a group become advantages; each trained token counts one of `length`, whatever was sampled, so
 * that long wrong answers are not let off (Dr. GRPO, Liu et al. 2025); groups count the same.
 */
export function batchOf(samples: readonly BatchSample[], length: number): Batch {
  const groups = Map.groupBy(samples, ({ group }) => group);
  const advantages = new Map<BatchSample, number>();
  for (const members of groups.values()) {
    const relative = groupAdvantages(
      members.map(({ reward }) => reward),
      grpo,
    );
    const weights = tokenWeights(members.map(trainedTokens), { length });
    members.forEach((sample, at) =>
      advantages.set(sample, ((relative[at] ?? 0) * (weights[at] ?? 0)) / groups.size),
    );
  }
  const rows = new Map<string, { readonly at: number; readonly row: TrainerRow }>();
  const rowOf = samples.map((sample) => {
    const { group, prompt_ids, completion_ids, env_mask, logprobs } = sample;
    const key = JSON.stringify([group, prompt_ids, completion_ids, env_mask]);
    const same = rows.get(key);
    const at = same?.at ?? rows.size;
    const advantage = (same?.row.advantage ?? 0) + (advantages.get(sample) ?? 0);
    rows.set(key, { at, row: { prompt_ids, completion_ids, mask: env_mask, logprobs, advantage } });
    return at;
  });
  return { rows: [...rows.values()].map(({ row }) => row), rowOf };
}

/** Rows that move the weights, and those of groups that all got the same. */
export function isLearnt({ advantage }: TrainerRow): boolean {
  return advantage !== 0;
}

/** A sample to score alone. */
export function unlearnt(
  sample: Pick<BatchSample, 'prompt_ids' | 'completion_ids' | 'env_mask' | 'logprobs'>,
): TrainerRow {
  const { prompt_ids, completion_ids, env_mask: mask, logprobs } = sample;
  return { prompt_ids, completion_ids, mask, logprobs, advantage: 0 };
}

function trainedTokens({ env_mask: mask }: BatchSample): number {
  return mask.filter((bit) => bit === 1).length;
}
