import type { NodeTokens } from '../node.ts';
import { boolean, index, number } from './fields.ts';
import type { Fields } from './fields.ts';
import type { JsonObject } from './json-object.ts';
import { compact } from './json-object.ts';
import { readExperts, readSamplingMask } from './tensors.ts';

/** Lists that hold one number per sampled token, by their two names. */
export const perSampled = [
  ['advantages', 'advantages'],
  ['referenceLogprobs', 'reference_logprobs'],
  ['trainerLogprobs', 'trainer_logprobs'],
  ['entropies', 'entropies'],
] as const;

/** Decimals of per-token floats in JSON, as the verifiers record writer rounds them. */
export const scale = 10_000;

export function writeTokens(tokens: NodeTokens | undefined): JsonObject {
  if (tokens === undefined) return {};
  return compact({
    token_ids: idsOf(tokens.ids),
    mask: bitsOf(tokens.mask),
    is_content: tokens.isContent === null ? undefined : bitsOf(tokens.isContent),
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

// Loops: a list made by the iterator of a typed array takes five to fifteen times as long.
function idsOf(ids: Int32Array): readonly number[] {
  const list: number[] = [];
  for (const id of ids) list.push(id);
  return list;
}

function bitsOf(bits: Uint8Array): readonly boolean[] {
  const list: boolean[] = [];
  for (const set of bits) list.push(set !== 0);
  return list;
}

function rounded(values: Float32Array): readonly number[] {
  const list: number[] = [];
  for (const value of values) list.push(Math.round(value * scale) / scale);
  return list;
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
    ...readExperts(fields),
    ...readSamplingMask(fields),
  };
}

function readBits(fields: Fields, key: string): Uint8Array {
  const values = fields.listOf(key, bit) ?? [];
  const bits = new Uint8Array(values.length);
  for (let at = 0; at < bits.length; at++)
    bits[at] = values[at] === true || values[at] === 1 ? 1 : 0;
  return bits;
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
