import type { Trace } from '@vf/core';

/**
 * Metrics of what turning messages into tokens met in a trace, `malformed_calls` and `spelled_controls`: sums over its
 * calls. None where no call was counted; one of the taskset by the same name is put in its place.
 */
export function addTokenCounts({ calls, metrics }: Trace): void {
  const counted = calls.flatMap(({ counts }) => counts ?? []);
  if (counted.length === 0) return;
  metrics['malformed_calls'] = counted.reduce((sum, each) => sum + each.malformedCalls, 0);
  metrics['spelled_controls'] = counted.reduce((sum, each) => sum + each.spelledControls, 0);
}
