import type { Moments } from './moments.ts';
import type { Range } from './range.ts';
import { isAtEnds } from './range.ts';

/**
 * An interval for a mean between known ends: Wilson's score interval at an effective sample size, so that it never
 * leaves the range and has a width where no value differs.
 *
 * The effective size is p(1 − p) / s² with the cluster-robust standard error s. Values that are all at the ends
 * (passed or failed) say no more than as many independent ones, so it is at most their number. Where s is 0 it is
 * the number of clusters. The quantile is that of t. Sources: Wilson, JASA 22, 1927; Korn and Graubard, Survey
 * Methodology 24(2), 1998; Dean and Pagano, Journal of Survey Statistics and Methodology 3(4), 2015.
 *
 * @param quantile of t at the degrees of freedom of the standard error
 * @param independent clusters, or attempts at the one task there is
 */
export function boundedInterval(
  clusters: readonly Readonly<Moments>[],
  range: Range,
  about: {
    readonly mean: number;
    readonly standardError: number;
    readonly n: number;
    readonly independent: number;
    readonly quantile: number;
  },
): readonly [low: number, high: number] {
  const [low, high] = range;
  const width = high - low;
  const share = Math.min(1, Math.max(0, (about.mean - low) / width));
  const variance = (about.standardError / width) ** 2;
  const size = effectiveSize(share, variance, about, isAtEnds(clusters, range));
  const square = about.quantile ** 2;
  const centre = (share + square / (2 * size)) / (1 + square / size);
  const half =
    (about.quantile / (1 + square / size)) *
    Math.sqrt((share * (1 - share)) / size + square / (4 * size * size));
  return [
    low + width * Math.min(share, Math.max(0, centre - half)),
    low + width * Math.max(share, Math.min(1, centre + half)),
  ];
}

function effectiveSize(
  share: number,
  variance: number,
  { n, independent }: { readonly n: number; readonly independent: number },
  isBinary: boolean,
): number {
  if (variance === 0) return independent;
  const size = (share * (1 - share)) / variance;
  return isBinary ? Math.min(size, n) : size;
}
