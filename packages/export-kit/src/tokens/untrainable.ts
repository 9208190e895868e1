import type { Episode, Trace } from '@vf/core';
import { firstSampled } from '@vf/core/trace';
import type { Reason } from '../omitted.ts';

/** What a trainer may demand beyond ids. */
export interface Demands {
  readonly logprobs: boolean;
}

/**
 * Why a trace cannot train: it was not finished or not scored, or its exact tokens are not known. null when it can.
 * A made-up id, logprob or reward is never an answer.
 */
export function untrainable(episode: Episode, trace: Trace, demands: Demands): Reason | null {
  return unscored(episode, trace) ?? withoutTokens(trace) ?? withoutLogprobs(trace, demands);
}

function unscored(episode: Episode, trace: Trace): Reason | null {
  const error = episode.errors.at(-1) ?? trace.errors.at(-1);
  const detail = error === undefined ? {} : { detail: `${error.type}: ${error.message}` };
  if (episode.errors.length > 0) return { reason: 'its episode failed', ...detail };
  if (!trace.isCompleted) return { reason: 'it was not completed', ...detail };
  return trace.reward === null ? { reason: 'it has no score', ...detail } : null;
}

function withoutTokens(trace: Trace): Reason | null {
  const { nodes } = trace.graph;
  const sampled = nodes.flatMap(({ sampled: isSampled }, at) => (isSampled ? [at] : []));
  if (sampled.length === 0) return { reason: 'no reply was sampled' };
  const rewritten = sampled.filter((at) => nodes[at]?.said !== undefined);
  if (rewritten.length > 0) {
    return { reason: 'replies were rewritten by a hook', detail: nodesText(rewritten) };
  }
  const bare = sampled.filter((at) => nodes[at]?.tokens === undefined);
  if (bare.length === 0) return null;
  const model = trace.calls.at(-1)?.model ?? trace.agent.model;
  return {
    reason: 'replies have no token ids',
    detail: `${bare.length} of ${sampled.length}, ${model} gave text alone`,
  };
}

function withoutLogprobs({ graph }: Trace, demands: Demands): Reason | null {
  const counts = graph.nodes.map(({ tokens }) =>
    tokens === undefined ? 0 : tokens.ids.length - firstSampled(tokens),
  );
  if (counts.every((count) => count === 0)) return { reason: 'no token was sampled' };
  const without = counts.flatMap((count, at) =>
    (graph.nodes[at]?.tokens?.logprobs.length ?? 0) === count ? [] : [at],
  );
  if (!demands.logprobs || without.length === 0) return null;
  return { reason: 'sampled tokens have no logprobs', detail: nodesText(without) };
}

function nodesText(nodes: readonly number[]): string {
  return `node${nodes.length === 1 ? '' : 's'} ${nodes.join(', ')}`;
}
