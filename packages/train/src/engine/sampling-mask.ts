import type { SamplingMask } from '@vf/core';
import { noSample } from './engine-failed.ts';

/** Lists of the ids that the filters left, one for each sampled id. @throws EngineFailed when they are none */
export function samplingMaskOf(told: unknown): { readonly samplingMask?: SamplingMask } {
  if (told === undefined || told === null) return {};
  if (!Array.isArray(told) || !told.every(isIds)) {
    throw noSample('the engine told a sampling mask that is no list of ids for each token');
  }
  return {
    samplingMask: {
      ids: Int32Array.from(told.flat()),
      counts: Int32Array.from(told, (row) => row.length),
    },
  };
}

function isIds(row: unknown): row is readonly number[] {
  return Array.isArray(row) && row.every((id) => Number.isInteger(id) && id >= 0 && id < 2 ** 31);
}
