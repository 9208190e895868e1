import { createHash } from 'node:crypto';
import type { TasksetPlan } from '@vf/rollout';

interface Scorer {
  readonly weight: number;
  /** SHA-256 of the function's text without white space, its first 16 hex digits; what it calls is not in it. */
  readonly code: string;
}

/** How the rollouts of a run are scored, so that another run can be seen to score alike. */
export interface Scorers {
  readonly rewards: Readonly<Record<string, Scorer>>;
  readonly group_rewards: Readonly<Record<string, Scorer>>;
}

export function scorersOf({ rewards, groupWeights, spec }: TasksetPlan): Scorers {
  const groups = Object.entries(spec.groupRewards ?? {});
  return {
    rewards: Object.fromEntries(
      rewards.map(({ name, weight, score }) => [name, { weight, code: codeOf(score) }]),
    ),
    group_rewards: Object.fromEntries(
      groups.map(([name, score]) => [
        name,
        { weight: groupWeights[name] ?? 1, code: codeOf(score) },
      ]),
    ),
  };
}

function codeOf(score: unknown): string {
  const text = String(score).replaceAll(/\s+/g, '');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
