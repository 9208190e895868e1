/** Count, mean and sum of squared deviations of the values seen so far, and how far apart they lie. */
export interface Moments {
  count: number;
  mean: number;
  squares: number;
  /** Infinity and -Infinity without a value. */
  low: number;
  high: number;
  /** Does a value lie between `low` and `high`? If not, there are at most two distinct ones. */
  isMixed: boolean;
}

/** The moments of no value. */
export function emptyMoments(): Moments {
  return { count: 0, mean: 0, squares: 0, low: Infinity, high: -Infinity, isMixed: false };
}

/**
 * Adds one value, by Welford's update, which keeps its digits where a sum of squares would not.
 *
 * @throws RangeError when the value is not finite: one NaN would silence a whole run
 */
export function addValue(moments: Moments, value: number): void {
  if (!Number.isFinite(value)) throw new RangeError(`a mean takes finite numbers, not ${value}`);
  moments.count += 1;
  const off = value - moments.mean;
  moments.mean += off / moments.count;
  moments.squares += off * (value - moments.mean);
  if (value === moments.low || value === moments.high) return;
  if (moments.low < moments.high) moments.isMixed = true;
  if (value < moments.low) moments.low = value;
  if (value > moments.high) moments.high = value;
}

/** The moments of a single value. */
export function momentsOfOne(value: number): Moments {
  return { count: 1, mean: value, squares: 0, low: value, high: value, isMixed: false };
}

/** @throws RangeError when a value is not finite */
export function momentsOf(values: Iterable<number>): Moments {
  const moments = emptyMoments();
  for (const value of values) addValue(moments, value);
  return moments;
}
