import type { Settings } from '@vf/core';
import type { JsonObject } from '@vf/core/dialect';
import type { EngineOptions } from './engine.ts';
import { refusal } from './engine-failed.ts';
import { refuseForced } from './forced.ts';

/** Settings as engines take them, everything said, so that no engine's own default filters. */
export interface Sampling {
  readonly temperature: number;
  readonly topP: number;
  /** 0 = off. */
  readonly topK: number;
  readonly minP: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  readonly seed: number | null;
  readonly stop: readonly string[];
}

/** Top-level keys of a request that mean the same at every engine. */
const known = new Set(['min_p', 'cache_salt', 'priority']);

/** @throws EngineFailed when a reply would be bent in a way that no logprob tells */
export function samplingOf(settings: Settings): Sampling {
  refuseForced(settings);
  refuseEmpty(settings);
  const { extra = {} } = settings;
  const bending = ['logit_bias', 'n', 'repetition_penalty'].find((key) => bends(key, extra[key]));
  if (bending !== undefined) {
    throw refusal(`training cannot take ${bending}: no engine tells the logprobs it samples with`);
  }
  return {
    temperature: settings.temperature ?? 1,
    topP: settings.topP ?? 1,
    topK: Math.max(0, settings.topK ?? 0),
    minP: typeof extra['min_p'] === 'number' ? extra['min_p'] : 0,
    presencePenalty: settings.presencePenalty ?? 0,
    frequencyPenalty: settings.frequencyPenalty ?? 0,
    seed: settings.seed ?? null,
    stop: settings.stop ?? [],
  };
}

/** What leaves nothing to sample: an engine refuses it, ends at once, or samples all the same. */
function refuseEmpty({ stop = [], maxOutputTokens = 1 }: Settings): void {
  if (stop.includes('')) throw refusal('a stop word is empty: leave it out');
  if (maxOutputTokens < 1) {
    throw refusal(`at most ${maxOutputTokens} tokens were asked for: training needs one at least`);
  }
}

function bends(key: string, value: unknown): boolean {
  if (value === undefined || value === null || known.has(key)) return false;
  return key === 'logit_bias' ? Object.keys(value).length > 0 : value !== 1;
}

/** The samplers as vLLM and llama.cpp spell them, without `stop`. */
export function samplersOf(sampling: Sampling): JsonObject {
  return {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    ...(sampling.seed === null ? {} : { seed: sampling.seed }),
  };
}

/** What vLLM and SGLang read beside the samplers: whose cache a prompt may use, and who is served first. */
export function queueingOf({ extra = {} }: Settings): JsonObject {
  const { cache_salt: salt, priority } = extra;
  return {
    ...(typeof salt === 'string' && salt !== '' ? { cache_salt: salt } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
  };
}

/** Does anything but the temperature change what is sampled? */
export function filters(sampling: Sampling): boolean {
  const { topP, topK, minP, presencePenalty, frequencyPenalty } = sampling;
  return topP < 1 || topK > 0 || minP > 0 || presencePenalty !== 0 || frequencyPenalty !== 0;
}

/** vLLM, and SGLang a little lower, take the likeliest id at such a temperature, and tell another probability than 1. */
export const greedyBelow = 1e-5;

/**
 * @param own settings of vLLM's own that bend what is sampled
 * @throws EngineFailed when a vLLM's logprobs are not those that these settings sample with
 */
export function checkLogprobs(
  sampling: Sampling,
  own: Readonly<Record<string, unknown>>,
  logprobs: EngineOptions['logprobs'],
): void {
  if (sampling.temperature < greedyBelow) {
    throw refusal(
      "vLLM tells logprobs from before greedy choice: sample at a temperature above 0 (sampling.temperature = 1 in the run's config wins over the agent's own)",
    );
  }
  const isFree = sampling.temperature === 1 && !filters(sampling) && Object.keys(own).length === 0;
  if (logprobs === 'processed' || isFree) return;
  throw refusal(
    'vLLM tells raw logprobs, wrong under a temperature or filter: start it with --logprobs-mode processed_logprobs and set client.logprobs = "processed", or sample at temperature 1 (sampling.temperature in the run\'s config wins over the agent\'s own)',
  );
}
