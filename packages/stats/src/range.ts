import type { Moments } from './moments.ts';

/** The least and the greatest value that there can be. */
export type Range = readonly [low: number, high: number];

/** Of a mark that is a share: 0 nothing, 1 all. */
export const unitRange: Range = [0, 1];

/** Sums of weights differ in their last digits by the order of adding. */
const slack = 1e-9;

/** `range` when it holds every value; null when one lies outside, so that nothing is known about the ends. */
export function rangeHolding(clusters: readonly Readonly<Moments>[], range: Range): Range | null {
  const isInside = ({ low, high }: Readonly<Moments>): boolean =>
    low >= range[0] - slack && high <= range[1] + slack;
  return clusters.every(isInside) ? range : null;
}

/** Is every value one of the two ends, as passed and failed are? */
export function isAtEnds(clusters: readonly Readonly<Moments>[], [low, high]: Range): boolean {
  const isEnd = (value: number): boolean =>
    Math.abs(value - low) <= slack || Math.abs(value - high) <= slack;
  return clusters.every((one) => !one.isMixed && isEnd(one.low) && isEnd(one.high));
}

/**
 * What a rollout's reward can be when each part lies between 0 and 1: the sum of the negative weights, and that of
 * the positive ones. Without weights 0 to 1.
 *
 * @param weights of each part of the reward
 */
export function rewardRange(weights: Readonly<Record<string, number>>): Range {
  const all = Object.values(weights).filter((weight) => weight !== 0);
  if (all.length === 0) return unitRange;
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  return [sum(all.filter((weight) => weight < 0)), sum(all.filter((weight) => weight > 0))];
}
