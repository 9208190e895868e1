import { z } from '@vf/core';
import { formatCriteria } from './criteria.ts';
import type { Criterion } from './criteria.ts';
import type { Form } from './form.ts';

export interface CriterionVerdict {
  readonly reasoning: string;
  readonly met: boolean;
}

export type CriteriaVerdict = Readonly<Record<string, CriterionVerdict>>;

/** Each criterion is met or not; the score is the weight of those met, as a share of all that can be won. */
export function criteriaForm(criteria: readonly Criterion[]): Form<CriteriaVerdict> {
  const plain = criteria.map((one) => ({ ...one, weight: 1 }));
  const one = z.strictObject({ reasoning: z.string(), met: z.boolean() });
  return {
    task: `Decide for each criterion on its own whether it is met, and first give the reasoning for it. When in doubt, it is not met.\n\n${formatCriteria(plain)}`,
    schema: z.strictObject(Object.fromEntries(criteria.map(({ name }) => [name, one]))),
    merge: (votes) => Object.fromEntries(criteria.map(({ name }) => [name, majority(votes, name)])),
    score: (verdict) => shareOf(criteria, verdict),
  };
}

/** The first of the votes that most agree with. */
function majority(votes: readonly CriteriaVerdict[], name: string): CriterionVerdict {
  const cast = votes.flatMap((vote) => vote[name] ?? []);
  const isMet = cast.filter(({ met }) => met).length * 2 > cast.length;
  return cast.find(({ met }) => met === isMet) ?? { reasoning: '', met: isMet };
}

function shareOf(criteria: readonly Criterion[], verdict: CriteriaVerdict): number {
  const won = sum(criteria.filter(({ name }) => verdict[name]?.met === true));
  const most = sum(criteria.filter(({ weight }) => weight > 0));
  return Math.min(1, Math.max(0, won / most));
}

function sum(criteria: readonly Criterion[]): number {
  return criteria.reduce((total, { weight }) => total + weight, 0);
}
