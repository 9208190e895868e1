import type { RoutedExperts, SamplingMask } from '@vf/core';
import type { JsonRecord } from './is-record.ts';

/** One row for each token of the node. */
export function wireExperts({ rows, layers, topK }: RoutedExperts): JsonRecord {
  return tensor(rows, [rows.length / (layers * topK), layers, topK]);
}

/** The row of the node's last token alone. */
export function lastExperts({ rows, layers, topK }: RoutedExperts): JsonRecord {
  return tensor(rows.slice(-layers * topK), [1, layers, topK]);
}

export function wireMask({ ids, counts }: SamplingMask): JsonRecord {
  return { ids: tensor(ids, [ids.length]), counts: tensor(counts, [counts.length]) };
}

/** An array as the peer packs those of numpy; bytes in the order of this machine, which is that of all it runs on. */
function tensor(
  values: Uint8Array | Uint16Array | Int32Array,
  shape: readonly number[],
): JsonRecord {
  const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: width } = values;
  const dtype = width === 4 ? 'int32' : width === 2 ? 'uint16' : 'uint8';
  return { __nd__: true, dtype, shape, data: new Uint8Array(buffer, byteOffset, byteLength) };
}
