import type { ModelCall } from './model-call.ts';

/** Versions of the weights that sampled the replies of calls, each once, in the order of their use. */
export function weightVersions(calls: readonly Pick<ModelCall, 'weights'>[]): readonly string[] {
  return [...new Set(calls.flatMap(({ weights = [] }) => weights.map(({ version }) => version)))];
}
