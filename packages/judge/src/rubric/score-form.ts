import { VfError, z } from '@vf/core';
import { middleVote } from './form.ts';
import type { Form } from './form.ts';

export interface ScoreVerdict {
  readonly reasoning: string;
  /** On the rubric's own scale. */
  readonly score: number;
}

export type Scale = readonly [lowest: number, highest: number];

/** One number on a scale; the judge's score is its place on it, in [0, 1]. @throws VfError config/invalid */
export function scoreForm(rubric: string, [lowest, highest]: Scale): Form<ScoreVerdict> {
  if (!(lowest < highest))
    throw new VfError('config/invalid', `a scale goes up; this one is ${lowest} to ${highest}`, {
      hint: 'name the worst first: scale = [0, 1]',
    });
  const score = ({ score: value }: ScoreVerdict): number => (value - lowest) / (highest - lowest);
  return {
    task: `${rubric}\n\nGive a score from ${lowest} (worst) to ${highest} (best), and first the reasoning for it.`,
    schema: z.strictObject({ reasoning: z.string(), score: z.number().min(lowest).max(highest) }),
    merge: (votes) => middleVote(votes, score),
    score,
  };
}
