import type { ModelCall } from '@vf/core';

/** Seconds with at least one call under way; overlapping calls count once. */
export function modelSeconds(calls: readonly Pick<ModelCall, 'start' | 'end'>[]): number {
  const sorted = calls.toSorted((a, b) => a.start - b.start);
  let total = 0;
  let until = -Infinity;
  for (const { start, end } of sorted) {
    total += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return total;
}
