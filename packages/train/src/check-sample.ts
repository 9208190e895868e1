import type { SamplingMask } from '@vf/core';
import type { Sample } from './engine/engine.ts';
import { checkIds } from './engine/check-ids.ts';
import { noSample } from './engine/engine-failed.ts';
import { weightsUpTo } from './engine/weights.ts';

/** Completion ids with their logprobs, each checked. */
export interface CheckedSample extends Pick<
  Sample,
  'cached' | 'routedExperts' | 'samplingMask' | 'weights'
> {
  readonly completionIds: Int32Array;
  readonly logprobs: Float32Array;
  readonly finish: 'stop' | 'length';
}

/** What a 32-bit logit can be above 0 by rounding. */
const rounding = 1e-4;
/** What vLLM writes for −∞. */
const impossible = -9999;

/**
 * A sample as it can be trained on: up to its first stop id, every id in the vocabulary, a finite logprob for each.
 * @param stopIds none where nobody knows them
 * @param vocabulary one more than the largest id
 * @param stop texts that the engine was told to end at
 * @throws EngineFailed never a made-up 0.0
 */
export function checkSample(
  engine: string,
  sample: Sample,
  stopIds: readonly number[],
  vocabulary: number,
  stop: readonly string[] = [],
): CheckedSample {
  const { ids, logprobs } = sample;
  // Even a reply that says nothing ends with a stop id.
  if (ids.length === 0) throw noSample(`${engine} sampled no token`);
  if (logprobs.length === 0) {
    throw noSample(`${engine} gave no logprobs: start it with logprobs on`);
  }
  if (logprobs.length !== ids.length) {
    throw noSample(`${engine} gave ${logprobs.length} logprobs for ${ids.length} tokens`);
  }
  checkIds(engine, ids, vocabulary);
  const all = Int32Array.from(ids);
  const end = firstOf(all, stopIds);
  if (end < 0 && stop.length === 0) checkEnd(engine, sample, stopIds);
  const length = end < 0 ? ids.length : end + 1;
  return {
    completionIds: all.subarray(0, length),
    logprobs: checkedLogprobs(engine, logprobs, length),
    finish: end < 0 && sample.finish !== 'stop' ? 'length' : 'stop',
    cached: sample.cached,
    ...(sample.routedExperts === undefined ? {} : { routedExperts: sample.routedExperts }),
    ...(sample.weights === undefined ? {} : { weights: weightsUpTo(sample.weights, length) }),
    ...(sample.samplingMask === undefined
      ? {}
      : { samplingMask: maskUpTo(engine, sample.samplingMask, ids.length, length) }),
  };
}

/**
 * Engines tell the token that ended a reply. One that ended without was robbed of it, or ended with one that the
 * renderer does not know: its last decision would be missing, or be taken for text.
 * @throws EngineFailed
 */
function checkEnd(engine: string, { ids, finish }: Sample, stopIds: readonly number[]): void {
  if (finish !== 'stop' || stopIds.length === 0) return;
  throw noSample(
    `${engine} ended the reply with token ${ids[ids.length - 1]}, which is no end token of the renderer (${stopIds.join(', ')}): the end token was left out, or is one of another model`,
  );
}

/** The first place of any of some ids, −1 when there is none. */
function firstOf(ids: Int32Array, wanted: readonly number[]): number {
  const places = wanted.map((id) => ids.indexOf(id)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** The mask's rows of the first `length` tokens. @throws EngineFailed when there is not one for each sampled token */
function maskUpTo(
  engine: string,
  { ids, counts }: SamplingMask,
  sampled: number,
  length: number,
): SamplingMask {
  if (counts.length !== sampled) {
    throw noSample(`${engine} told ${counts.length} rows of a sampling mask for ${sampled} tokens`);
  }
  const kept = counts.slice(0, length);
  return {
    ids: ids.slice(
      0,
      kept.reduce((sum, count) => sum + count, 0),
    ),
    counts: kept,
  };
}

function checkedLogprobs(engine: string, values: ArrayLike<number>, length: number): Float32Array {
  const logprobs = new Float32Array(length);
  for (let at = 0; at < length; at++) logprobs[at] = checked(engine, values[at] as number, at);
  return logprobs;
}

function checked(engine: string, value: number, at: number): number {
  if (Number.isFinite(value) && value > impossible && value <= rounding) return Math.min(0, value);
  throw noSample(`${engine} gave ${value} as the logprob of sampled token ${at}`);
}
