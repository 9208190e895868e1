import type { SamplingMask, TurnTokens } from '../contract/turn-tokens.ts';

/** Is there a row for each of `sampled` tokens, and an id for each that the rows count? */
export function maskFits({ ids, counts }: SamplingMask, sampled: number): boolean {
  if (counts.length !== sampled || counts.some((count) => count < 0)) return false;
  return counts.reduce((sum, count) => sum + count, 0) === ids.length;
}

/** The turn's mask; one that does not fit its completion says nothing of any token. */
export function fittingMask({ samplingMask, completionIds }: TurnTokens): {
  readonly samplingMask?: SamplingMask;
} {
  if (samplingMask === undefined || !maskFits(samplingMask, completionIds.length)) return {};
  return { samplingMask: { ids: samplingMask.ids.slice(), counts: samplingMask.counts.slice() } };
}
