import type { TurnTokens } from '@vf/core';
import { isObject, listOf, numberOf, stringOf } from '@vf/core/dialect';
import { noSample } from './engine-failed.ts';

type Experts = NonNullable<TurnTokens['routedExperts']>;

/** An array of three sides as it came: which numbers, and their bytes. */
interface Told {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/**
 * The experts that vLLM chose: base64 of a `.npy` file of its own, `{data, shape, start, dtype}` from the server of
 * prime-rl. A file does not say where it begins; it ends, like any answer, before the last token.
 * @param length tokens of prompt and completion
 * @throws EngineFailed when it cannot be read
 */
export function routedExpertsOf(
  told: unknown,
  length: number,
): { readonly routedExperts?: Experts } {
  if (told === undefined || told === null) return {};
  const { dtype, shape, bytes } = isObject(told) ? plain(told) : npy(told);
  const [count = 0, layers = 0, topK = 0] = shape;
  const rows = rowsOf(dtype, bytes);
  if (shape.length !== 3 || layers * topK === 0 || rows.length !== count * layers * topK) {
    throw unreadable(`${rows.length} numbers for the shape (${shape.join(', ')})`);
  }
  const start = isObject(told) ? (numberOf(told['start']) ?? 0) : length - 1 - count;
  return { routedExperts: { rows, layers, topK, start } };
}

function plain(told: Readonly<Record<string, unknown>>): Told {
  const data = stringOf(told['data']);
  if (data === null) throw unreadable('no data');
  const shape = listOf(told['shape']).map((side) => numberOf(side) ?? 0);
  return { dtype: stringOf(told['dtype']) ?? 'uint8', shape, bytes: Buffer.from(data, 'base64') };
}

/** See https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, versions 1 to 3. */
function npy(told: unknown): Told {
  const file = Buffer.from(stringOf(told) ?? '', 'base64');
  const isLong = file.at(6) !== 1;
  const begin = isLong ? 12 : 10;
  if (file.subarray(1, 6).toString('latin1') !== 'NUMPY' || file.length < begin) {
    throw unreadable('no .npy file');
  }
  const end = begin + (isLong ? file.readUInt32LE(8) : file.readUInt16LE(8));
  const head = file.subarray(begin, end).toString('latin1');
  const dtype = dtypes[/'descr': '([^']*)'/.exec(head)?.[1] ?? ''];
  const sides = /'shape': \(([^)]*)\)/.exec(head)?.[1] ?? '';
  if (dtype === undefined || /'fortran_order': True/.test(head)) throw unreadable(head.trim());
  const shape = sides
    .split(',')
    .filter((side) => side.trim() !== '')
    .map(Number);
  return { dtype, shape, bytes: file.subarray(end) };
}

const dtypes: Readonly<Record<string, string>> = {
  '|u1': 'uint8',
  '<u2': 'uint16',
  '<i2': 'int16',
  '<i4': 'int32',
  '<i8': 'int64',
};

function rowsOf(dtype: string, bytes: Uint8Array): Experts['rows'] {
  const { buffer } = Uint8Array.from(bytes);
  try {
    if (dtype === 'uint8') return new Uint8Array(buffer);
    if (dtype === 'uint16') return new Uint16Array(buffer);
    if (dtype === 'int16') return narrowed(new Int16Array(buffer));
    if (dtype === 'int32') return narrowed(new Int32Array(buffer));
    if (dtype === 'int64') return narrowed(Array.from(new BigInt64Array(buffer), Number));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw unreadable(`${bytes.length} bytes of ${dtype}`);
}

/** Numbers of experts fit two bytes in every model there is. */
function narrowed(values: ArrayLike<number>): Experts['rows'] {
  const list = Array.from(values);
  const foreign = list.find((value) => value < 0 || value > 0xffff);
  if (foreign !== undefined) throw unreadable(`expert ${foreign}`);
  return list.every((value) => value <= 0xff) ? Uint8Array.from(list) : Uint16Array.from(list);
}

function unreadable(what: string): Error {
  return noSample(`vLLM told routed experts that cannot be read: ${what}`);
}
