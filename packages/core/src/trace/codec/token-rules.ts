import type { TokenSpace } from '../../contract/turn-tokens.ts';
import type { NodeTokens, TraceNode } from '../node.ts';
import { rowCount } from '../routed-experts.ts';
import { maskFits } from '../sampling-mask.ts';
import { firstOutside } from '../token-space.ts';
import { damaged } from './fields.ts';
import { perSampled, scale } from './tokens.ts';

/**
 * The rules of a node's tokens: `mask` as long as `ids`, set only where sampled and only at the end;
 * one logprob per set bit or none, each at most 0; sampled tokens are content.
 */
export function checkTokens(
  tokens: NodeTokens,
  isSampled: boolean,
  path: string,
  fail: (path: string, reason: string) => never = damaged,
): void {
  const { ids, mask, isContent, logprobs } = tokens;
  if (mask.length !== ids.length) {
    fail(`${path}.mask`, `has ${mask.length} entries for ${ids.length} tokens`);
  }
  const sampled = mask.reduce((sum, set) => sum + set, 0);
  if (sampled > 0 && !isSampled) {
    fail(`${path}.mask`, 'has sampled tokens on a node that was not sampled');
  }
  if (mask.lastIndexOf(0) >= mask.length - sampled && sampled > 0) {
    fail(`${path}.mask`, 'has an unsampled token after a sampled one');
  }
  if (isContent !== null && isContent.length !== ids.length) {
    fail(`${path}.is_content`, `has ${isContent.length} entries for ${ids.length} tokens`);
  }
  if (isContent?.some((set, at) => set === 0 && mask[at] === 1) === true) {
    fail(`${path}.is_content`, 'leaves out a sampled token');
  }
  if (logprobs.length !== 0 && logprobs.length !== sampled) {
    fail(`${path}.logprobs`, `has ${logprobs.length} entries for ${sampled} sampled tokens`);
  }
  if (!logprobs.every(isLogprob)) {
    fail(`${path}.logprobs`, 'must be finite and at most 0');
  }
  for (const [key, wire] of perSampled) {
    const values = tokens[key];
    if (values != null && values.length !== sampled) {
      fail(`${path}.${wire}`, `has ${values.length} entries for ${sampled} sampled tokens`);
    }
  }
  for (const [name, weights] of Object.entries(tokens.lossWeights ?? {})) {
    if (weights.length !== ids.length) {
      fail(
        `${path}.loss_weights.${name}`,
        `has ${weights.length} entries for ${ids.length} tokens`,
      );
    }
  }
  const { routedExperts, samplingMask } = tokens;
  if (routedExperts !== undefined && rowCount(routedExperts) !== ids.length) {
    fail(`${path}.routed_experts`, `are not of ${ids.length} tokens`);
  }
  if (samplingMask !== undefined && !maskFits(samplingMask, sampled)) {
    fail(`${path}.sampling_mask`, `is not of ${sampled} sampled tokens`);
  }
}

/** As a record writes it: half of a last digit above 0 is 0 there. */
function isLogprob(value: number): boolean {
  return Math.round(value * scale) <= 0 && Number.isFinite(value);
}

/** Ids are of the vocabulary, and no conversation is longer than the context. */
export function checkSpace(
  nodes: readonly TraceNode[],
  space: TokenSpace,
  path: string,
  fail: (path: string, reason: string) => never,
): void {
  const lengths: number[] = [];
  nodes.forEach(({ parent, tokens }, at) => {
    const here = `${path}nodes[${at}].token_ids`;
    const foreign = tokens === undefined ? undefined : firstOutside(tokens.ids, space);
    if (foreign !== undefined) {
      fail(here, `${foreign} is not of a vocabulary of ${space.vocabulary}`);
    }
    const before = parent === null ? 0 : (lengths[parent] ?? 0);
    const length = before + (tokens?.ids.length ?? 0);
    lengths.push(length);
    if (space.context !== null && length > space.context) {
      fail(here, `make ${length} tokens, more than the context of ${space.context}`);
    }
  });
}
