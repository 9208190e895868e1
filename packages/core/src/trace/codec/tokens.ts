import type { NodeTokens } from '../node.ts';
import { boolean, damaged, index, number } from './fields.ts';
import type { Fields } from './fields.ts';
import type { JsonObject } from './json-object.ts';
import { compact } from './json-object.ts';

/** Lists that hold one number per sampled token, by their two names. */
const perSampled = [
  ['advantages', 'advantages'],
  ['referenceLogprobs', 'reference_logprobs'],
  ['trainerLogprobs', 'trainer_logprobs'],
  ['entropies', 'entropies'],
] as const;

/** Decimals of per-token floats in JSON, as the verifiers record writer rounds them. */
const scale = 10_000;

export function writeTokens(tokens: NodeTokens | undefined): JsonObject {
  if (tokens === undefined) return {};
  return compact({
    token_ids: [...tokens.ids],
    mask: [...tokens.mask].map(Boolean),
    is_content: tokens.isContent === null ? undefined : [...tokens.isContent].map(Boolean),
    logprobs: rounded(tokens.logprobs),
    ...Object.fromEntries(
      perSampled.map(([key, wire]) => [wire, tokens[key] == null ? null : rounded(tokens[key])]),
    ),
    loss_weights:
      tokens.lossWeights == null
        ? undefined
        : Object.fromEntries(
            Object.entries(tokens.lossWeights).map(([name, weights]) => [name, rounded(weights)]),
          ),
  });
}

function rounded(values: Float32Array): readonly number[] {
  return Array.from(values, (value) => Math.round(value * scale) / scale);
}

/** undefined for a node without tokens, however its record says so. */
export function readTokens(fields: Fields): NodeTokens | undefined {
  const ids = Int32Array.from(fields.listOf('token_ids', tokenId) ?? []);
  const mask = readBits(fields, 'mask');
  const isContent = readBits(fields, 'is_content');
  const logprobs = readFloats(fields, 'logprobs') ?? new Float32Array();
  const lists = perSampled.flatMap(([key, wire]): [string, Float32Array][] => {
    const values = readFloats(fields, wire);
    return values === undefined ? [] : [[key, values]];
  });
  const weights = fields.child('loss_weights');
  if (ids.length === 0 && mask.length === 0) return undefined;
  const lossWeights = weights
    ?.keys()
    .map((name): [string, Float32Array] => [name, readFloats(weights, name) ?? new Float32Array()]);
  return {
    ids,
    mask,
    isContent: isContent.length === 0 ? null : isContent,
    logprobs,
    ...Object.fromEntries(lists),
    ...(lossWeights === undefined ? {} : { lossWeights: Object.fromEntries(lossWeights) }),
  };
}

function readBits(fields: Fields, key: string): Uint8Array {
  return Uint8Array.from(fields.listOf(key, bit) ?? [], Number);
}

function readFloats(fields: Fields, key: string): Float32Array | undefined {
  const values = fields.listOf(key, number);
  return values === undefined ? undefined : Float32Array.from(values);
}

const tokenId = {
  name: 'a token id',
  is: (value: unknown): value is number => index.is(value) && value < 2 ** 31,
};
const bit = {
  name: 'true or false',
  is: (value: unknown): value is boolean | 0 | 1 => boolean.is(value) || value === 0 || value === 1,
};

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
  if (rounded(logprobs).some((value) => !(value <= 0) || !Number.isFinite(value))) {
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
}
