import type { RoutedExperts, SamplingMask } from '../../contract/turn-tokens.ts';
import { damaged } from './fields.ts';
import type { Fields, Kind } from './fields.ts';
import { isObject } from './json-object.ts';

/** An array as the wire form has it: `{__nd__, dtype, shape, data}` with raw little-endian bytes. */
interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

/** JSON cannot hold one; what another writer left there instead stays an unknown field. */
const tensor: Kind<Tensor> = {
  name: 'a tensor',
  is: (value): value is Tensor =>
    isObject(value) &&
    value['__nd__'] === true &&
    typeof value['dtype'] === 'string' &&
    Array.isArray(value['shape']) &&
    value['shape'].every((size) => Number.isSafeInteger(size) && Number(size) >= 0) &&
    value['data'] instanceof Uint8Array,
};

const maskOfTensors: Kind<{ readonly ids: Tensor; readonly counts: Tensor }> = {
  name: 'ids and counts, each a tensor',
  is: (value): value is { ids: Tensor; counts: Tensor } =>
    isObject(value) && tensor.is(value['ids']) && tensor.is(value['counts']),
};

export function readExperts(fields: Fields): { readonly routedExperts?: RoutedExperts } {
  const given = fields.maybe('routed_experts', tensor);
  if (given === undefined) return {};
  const path = fields.at('routed_experts');
  const [, layers = 0, topK = 0] = given.shape;
  if (given.shape.length !== 3) damaged(path, 'must be of tokens, layers and choices');
  return { routedExperts: { rows: expertRows(given, path), layers, topK } };
}

export function readSamplingMask(fields: Fields): { readonly samplingMask?: SamplingMask } {
  const given = fields.maybe('sampling_mask', maskOfTensors);
  if (given === undefined) return {};
  const path = fields.at('sampling_mask');
  return {
    samplingMask: {
      ids: int32(given.ids, `${path}.ids`),
      counts: int32(given.counts, `${path}.counts`),
    },
  };
}

function expertRows(given: Tensor, path: string): RoutedExperts['rows'] {
  if (given.dtype === 'uint8') return bytesOf(given, 1, path);
  if (given.dtype === 'uint16') return new Uint16Array(bytesOf(given, 2, path).buffer);
  return damaged(`${path}.dtype`, 'must be uint8 or uint16');
}

function int32(given: Tensor, path: string): Int32Array {
  if (given.dtype !== 'int32') damaged(`${path}.dtype`, 'must be int32');
  return new Int32Array(bytesOf(given, 4, path).buffer);
}

/** Bytes of its own, so that a view of wider numbers may stand on them. */
function bytesOf({ shape, data }: Tensor, width: number, path: string): Uint8Array<ArrayBuffer> {
  const length = shape.reduce((product, size) => product * size, width);
  if (data.length !== length) damaged(`${path}.data`, `has ${data.length} bytes for ${length}`);
  return Uint8Array.from(data);
}
