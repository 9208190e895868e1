/** Count, mean and sum of squared deviations of the values seen so far. */
export interface Moments {
  count: number;
  mean: number;
  squares: number;
}

export function emptyMoments(): Moments {
  return { count: 0, mean: 0, squares: 0 };
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
}

export function momentsOf(values: Iterable<number>): Moments {
  const moments = emptyMoments();
  for (const value of values) addValue(moments, value);
  return moments;
}
