import { momentsOf } from './moments.ts';

/** How the rewards of a group become advantages. */
export interface AdvantageOptions {
  /** What a reward is compared with: the group's mean, or the mean of the others. */
  readonly baseline: 'mean' | 'leave-one-out';
  /** Divide by the group's standard deviation (of a sample, n − 1)? */
  readonly scale: 'std' | 'none';
  /** Added to the standard deviation: 1e-6 in verl, 1e-4 in TRL. Default 1e-6. */
  readonly epsilon?: number;
}

/** GRPO (Shao et al. 2024): mean and standard deviation of the group. */
export const grpo: AdvantageOptions = { baseline: 'mean', scale: 'std' };
/** Dr. GRPO (Liu et al. 2025), and the default of prime-rl: the mean alone. */
export const drGrpo: AdvantageOptions = { baseline: 'mean', scale: 'none' };
/** RLOO (Ahmadian et al. 2024): the mean of the others. */
export const rloo: AdvantageOptions = { baseline: 'leave-one-out', scale: 'none' };

const defaultEpsilon = 1e-6;

/**
 * Advantages of the attempts at one task, relative to each other. A reward of null is a rollout without a score: it
 * gets null, which is no 0, and counts for nobody. Where fewer than two have a score, or all have the same, each gets
 * 0: there is nothing to learn from.
 *
 * @throws RangeError when a reward is neither finite nor null
 */
export function groupAdvantages(
  rewards: readonly (number | null)[],
  { baseline, scale, epsilon = defaultEpsilon }: AdvantageOptions,
): (number | null)[] {
  const { count, mean, squares } = momentsOf(rewards.filter((reward) => reward !== null));
  const divisor = scale === 'std' && count > 1 ? Math.sqrt(squares / (count - 1)) + epsilon : 1;
  // r − mean of the others = n / (n − 1) · (r − mean of all)
  const stretch = baseline === 'leave-one-out' && count > 1 ? count / (count - 1) : 1;
  return rewards.map((reward) => {
    if (reward === null) return null;
    return count < 2 || squares === 0 ? 0 : ((reward - mean) * stretch) / divisor;
  });
}

/**
 * How much the loss of one token weighs, by the length of its completion.
 * `completion`: each completion counts the same, whatever its length (GRPO; `seq-mean-token-mean` in verl);
 * `group`: each token of the group counts the same (DAPO, BNPO; `token-mean`);
 * a length: each token counts one of that many, whatever was sampled (Dr. GRPO; `seq-mean-token-sum-norm`).
 */
export type LengthNormalisation = 'completion' | 'group' | { readonly length: number };

/**
 * Weight of each trained token of a completion, one number for each of the group's completions; with `completion` and
 * `group` the weights of all trained tokens sum up to 1. A completion without a trained token weighs 0.
 *
 * @param lengths trained tokens of each completion
 */
export function tokenWeights(
  lengths: readonly number[],
  normalisation: LengthNormalisation,
): number[] {
  if (typeof normalisation === 'object') {
    const weight = 1 / (lengths.length * normalisation.length);
    return lengths.map((length) => (length === 0 ? 0 : weight));
  }
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const filled = lengths.filter((length) => length > 0).length;
  return lengths.map((length) => {
    if (length === 0) return 0;
    return normalisation === 'group' ? 1 / total : 1 / (filled * length);
  });
}
