import type { NodeTokens, TraceNode } from '@vf/core';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';
import { Bits } from './pack/packed.ts';
import { wireExperts, wireMask } from './wire-tensors.ts';

/**
 * Records of nodes with their tokens, every digit of the logprobs: files round them, a trainer may not.
 * @param records of `nodes`, without tokens
 */
export function wireNodes(records: unknown, nodes: readonly TraceNode[]): unknown {
  if (!Array.isArray(records)) return undefined;
  return records.map((record: unknown, at) => {
    const tokens = nodes[at]?.tokens;
    return tokens === undefined || !isRecord(record)
      ? record
      : { ...record, ...wireTokens(tokens) };
  });
}

function wireTokens(tokens: NodeTokens): JsonRecord {
  const { ids, mask, isContent, logprobs, routedExperts, samplingMask } = tokens;
  return {
    token_ids: ids,
    mask: new Bits(mask),
    is_content: isContent === null ? undefined : new Bits(isContent),
    logprobs,
    advantages: tokens.advantages ?? undefined,
    reference_logprobs: tokens.referenceLogprobs ?? undefined,
    trainer_logprobs: tokens.trainerLogprobs ?? undefined,
    entropies: tokens.entropies ?? undefined,
    loss_weights: tokens.lossWeights ?? undefined,
    routed_experts: routedExperts === undefined ? undefined : wireExperts(routedExperts),
    sampling_mask: samplingMask === undefined ? undefined : wireMask(samplingMask),
  };
}
