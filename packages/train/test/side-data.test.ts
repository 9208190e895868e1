import { describe, expect, test } from 'vitest';
import { checkSample } from '../src/check-sample.ts';
import { routedExpertsOf } from '../src/engine/routed-experts.ts';
import { samplingMaskOf } from '../src/engine/sampling-mask.ts';

/** A .npy file as numpy 2 writes it. */
function npy(descr: string, shape: readonly number[], bytes: Uint8Array, version = 1): string {
  const head = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
  const size = version === 1 ? 2 : 4;
  const text = `${head.padEnd(127 - 8 - size)}\n`;
  const length = Buffer.alloc(size);
  length.writeUIntLE(text.length, 0, size);
  const magic = Buffer.from([0x93, ...Buffer.from('NUMPY'), version, 0]);
  return Buffer.concat([magic, length, Buffer.from(text), bytes]).toString('base64');
}

const wide = (numbers: readonly number[]): Uint8Array =>
  new Uint8Array(Int32Array.from(numbers).buffer);
const long = (numbers: readonly number[]): Uint8Array =>
  new Uint8Array(BigInt64Array.from(numbers.map(BigInt)).buffer);

describe('routed experts of vLLM [train/side-data]', () => {
  test.each([
    ['bytes', npy('|u1', [4, 1, 2], Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))],
    ['integers of 4 bytes', npy('<i4', [4, 1, 2], wide([1, 2, 3, 4, 5, 6, 7, 8]))],
    ['integers of 8 bytes', npy('<i8', [4, 1, 2], long([1, 2, 3, 4, 5, 6, 7, 8]), 2)],
  ])('a file of %s ends before the last token', (_, told) => {
    expect(routedExpertsOf(told, 7)).toEqual({
      routedExperts: { rows: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), layers: 1, topK: 2, start: 2 },
    });
  });

  test('numbers above 255 stay what they are', () => {
    const { routedExperts } = routedExpertsOf(npy('<i4', [2, 1, 1], wide([300, 1])), 3);
    expect(routedExperts).toMatchObject({ rows: Uint16Array.of(300, 1), start: 0 });
  });

  test('those of prime-rl’s server say where they begin', () => {
    const data = Buffer.from([1, 2, 3, 4]).toString('base64');
    const told = { data, shape: [2, 2, 1], start: 5, dtype: 'uint8' };
    expect(routedExpertsOf(told, 8)).toEqual({
      routedExperts: { rows: Uint8Array.of(1, 2, 3, 4), layers: 2, topK: 1, start: 5 },
    });
  });

  test('an engine that tells none says nothing', () => {
    expect(routedExpertsOf(null, 3)).toEqual({});
    expect(routedExpertsOf(undefined, 3)).toEqual({});
    expect(samplingMaskOf(undefined)).toEqual({});
  });

  test.each([
    ['no file', 'AAAA', 'no .npy file'],
    ['a number', 7, 'no .npy file'],
    ['another type', npy('<f4', [1, 1, 1], new Uint8Array(4)), "'<f4'"],
    ['another shape', npy('|u1', [2, 2], Uint8Array.of(1, 2, 3, 4)), 'shape (2, 2)'],
    ['too few numbers', npy('|u1', [2, 2, 1], Uint8Array.of(1, 2)), '2 numbers'],
    ['half a number', npy('<u2', [1, 1, 1], Uint8Array.of(1)), '1 bytes'],
    ['an expert below 0', npy('<i4', [1, 1, 1], wide([-1])), 'expert -1'],
    ['no data', { shape: [1, 1, 1] }, 'no data'],
  ])('%s is no sample', (_, told, words) => {
    expect(() => routedExpertsOf(told, 3)).toThrow(words);
  });
});

describe('a sampling mask [train/side-data]', () => {
  const sample = {
    ids: [5, 2, 9],
    logprobs: [-1, -1, -1],
    finish: 'length' as const,
    rawFinish: 'length',
    cached: null,
    ...samplingMaskOf([[5, 7], [2], [9, 1, 3]]),
  };

  test('is one list of ids and how many belong to each token', () => {
    expect(sample.samplingMask).toEqual({
      ids: Int32Array.of(5, 7, 2, 9, 1, 3),
      counts: Int32Array.of(2, 1, 3),
    });
  });

  test('is cut where the completion is', () => {
    expect(checkSample('vllm', sample, [2], 10)).toMatchObject({
      completionIds: Int32Array.of(5, 2),
      samplingMask: { ids: Int32Array.of(5, 7, 2), counts: Int32Array.of(2, 1) },
    });
  });

  test.each([
    [[[5, 7], [2]]],
    [[[5, 7], [2], [9], [1]]],
    // Cut where the completion is, it would be one of the ids that are left.
    [[[2], [9]]],
  ])('%j, which is not a list for each id, is no sample', (told) => {
    const other = { ...sample, ...samplingMaskOf(told) };
    expect(() => checkSample('vllm', other, [2], 10)).toThrow('rows of a sampling mask');
  });

  test.each([[['x']], [[[1.5]]], [[[-1]]], [7]])('%j is no sample', (told) => {
    expect(() => samplingMaskOf(told)).toThrow('no list of ids');
  });
});
