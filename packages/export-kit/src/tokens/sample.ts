import type { Branch, Trace } from '@vf/core';
import { firstSampled } from '@vf/core/trace';
import { logprobsOf, plain } from './token-call.ts';

/** A branch as one training sample: the prompt up to the first trained token, then all the rest. */
export interface Sample {
  /** Index among the trace's branches. */
  readonly branch: number;
  readonly promptIds: readonly number[];
  readonly responseIds: readonly number[];
  /** One for each response id: 1 where the model sampled it and it trains here, 0 elsewhere. */
  readonly mask: readonly (0 | 1)[];
  /** One for each response id, 0 where the mask is 0; null when the engine gave none for a trained token. */
  readonly logprobs: readonly number[] | null;
  /** One for each response id, 0 where the mask is 0; null when a trainer has assigned none, which is not the same as 0. */
  readonly advantages: readonly number[] | null;
  /** Nodes of the branch that the model sampled. */
  readonly turns: number;
  /** Messages of user, assistant and tools in the branch. */
  readonly messages: number;
}

/**
 * A sample for each branch that has something to train. A reply shared by several branches trains in the first of
 * them only.
 */
export function samplesOf(trace: Trace): Sample[] {
  return trace.branches.flatMap((branch, index) => {
    const sample = branch.trainable ? sampleOf(branch, index) : null;
    return sample === null ? [] : [sample];
  });
}

function sampleOf(branch: Branch, index: number): Sample | null {
  const trains = new Set(branch.trains);
  const ids: number[] = [];
  const mask: (0 | 1)[] = [];
  const logprobs: number[] = [];
  const advantages: number[] = [];
  let hasLogprobs = true;
  let isAssigned = false;
  branch.nodes.forEach(({ tokens }, at) => {
    if (tokens === undefined) return;
    const start = firstSampled(tokens);
    const isTrained = trains.has(branch.path[at] ?? -1);
    const given = isTrained ? logprobsOf(tokens) : [];
    if (given === null) hasLogprobs = false;
    const assigned = isTrained ? (tokens.advantages ?? null) : null;
    if (assigned !== null) isAssigned = true;
    tokens.ids.forEach((id, offset) => {
      const isSampled = isTrained && offset >= start;
      ids.push(id);
      mask.push(isSampled ? 1 : 0);
      logprobs.push(isSampled ? (given?.[offset - start] ?? 0) : 0);
      advantages.push(isSampled ? plain(assigned?.[offset - start] ?? 0) : 0);
    });
  });
  const first = mask.indexOf(1);
  if (first < 0) return null;
  return {
    branch: index,
    promptIds: ids.slice(0, first),
    responseIds: ids.slice(first),
    mask: mask.slice(first),
    logprobs: hasLogprobs ? logprobs.slice(first) : null,
    advantages: isAssigned ? advantages.slice(first) : null,
    turns: branch.nodes.filter(({ sampled }) => sampled).length,
    messages: branch.messages.filter(({ role }) => role !== 'system').length,
  };
}
