import type { z } from '@vf/core';

/** What a judge is asked for, and how its verdicts become a score. */
export interface Form<Verdict> {
  /** What to judge by, in words for the model. */
  readonly task: string;
  readonly schema: z.ZodType<Verdict>;
  /** One verdict of an odd number of them. */
  merge(votes: readonly Verdict[]): Verdict;
  /** null: does not apply. */
  score(verdict: Verdict): number | null;
}

/** The vote in the middle by its score; null ones count as the lowest. */
export function middleVote<Verdict>(
  votes: readonly Verdict[],
  score: (verdict: Verdict) => number | null,
): Verdict {
  const ordered = votes.toSorted((a, b) => (score(a) ?? -Infinity) - (score(b) ?? -Infinity) || 0);
  const middle = ordered[Math.floor(ordered.length / 2)];
  if (middle === undefined) throw new RangeError('no votes');
  return middle;
}
