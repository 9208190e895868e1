import type { ModelCall, Trace, Usage } from '@vf/core';

/** US dollars of all calls, judges and earlier tries included; null when one of them has no known cost. */
export function costOf(traces: readonly Trace[]): number | null {
  let total = 0;
  for (const trace of traces) {
    for (const cost of [...trace.calls.map(callCost), ...trace.extraUsage.map(usageCost)]) {
      if (cost === null) return null;
      total += cost;
    }
  }
  return total;
}

/** A call that failed without a bill is free. */
function callCost(call: ModelCall): number | null {
  if (call.cost !== null) return call.cost;
  if (call.usage !== null) return usageCost(call.usage);
  return call.error === null ? null : 0;
}

function usageCost(usage: Usage): number | null {
  if (usage.cost !== undefined) return usage.cost;
  return usage.inputTokens + usage.outputTokens === 0 ? 0 : null;
}
