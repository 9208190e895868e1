import type { Sampling, Settings } from '@vf/core';
import type { EngineId, EngineOptions } from './engine.ts';
import { forcesTool } from './forced.ts';
import { greedyBelow } from './sampling.ts';

/** `vllm-chat` renders by itself. */
type SampledBy = EngineId | 'vllm-chat';

/** What each engine is sent beyond the settings that all of them have: in its own words, as it was given. */
const passed: Readonly<Record<SampledBy, readonly string[]>> = {
  // Samplers of its chain: the probabilities after the samplers tell what they do.
  'llama.cpp': ['repeat_penalty', 'repeat_last_n', 'typical_p', 'top_n_sigma'],
  vllm: ['min_tokens'],
  'vllm-chat': ['min_tokens'],
  sglang: [],
};

/** Read elsewhere: by the samplers of all engines, by the request around them, or by the renderer. */
const taken: Readonly<Record<SampledBy, readonly string[]>> = {
  'llama.cpp': ['min_p', 'cache_prompt', 'chat_template_kwargs'],
  vllm: ['min_p', 'cache_salt', 'priority', 'chat_template_kwargs'],
  'vllm-chat': ['min_p', 'cache_salt', 'priority', 'chat_template_kwargs'],
  sglang: ['min_p', 'cache_salt', 'priority', 'chat_template_kwargs'],
};

/** What only says how a reply is told, which the call itself says: trainers send it to every engine. */
const told: ReadonlySet<string> = new Set([
  'logprobs',
  'top_logprobs',
  'prompt_logprobs',
  'return_token_ids',
  'return_tokens_as_token_ids',
  'skip_special_tokens',
  'spaces_between_special_tokens',
  'include_stop_str_in_output',
  'detokenize',
  'stop_token_ids',
]);

/** Values with which a setting changes nothing. */
const idle: Readonly<Record<string, unknown>> = {
  n: 1,
  repetition_penalty: 1,
  repeat_penalty: 1,
  typical_p: 1,
  min_tokens: 0,
  ignore_eos: false,
};

/** The settings among `extra` that this engine is sent as they are, without those that change nothing. */
export function passedOn(
  engine: SampledBy,
  extra: Settings['extra'] = {},
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(extra).filter(
      ([key, value]) => passed[engine].includes(key) && !isIdle(key, value),
    ),
  );
}

/**
 * Names of the settings that would never reach this engine, or whose effect no logprob of it would tell.
 * @param logprobs of vLLM: which ones it was started to tell
 */
export function untakenSampling(
  engine: SampledBy,
  sampling: Sampling,
  logprobs: EngineOptions['logprobs'] = 'raw',
): readonly string[] {
  const { extra = {}, reasoningEffort, responseFormat, toolChoice } = sampling;
  const isChat = engine === 'vllm-chat';
  return [
    ...(reasoningEffort === undefined || isChat ? [] : ['reasoning_effort']),
    ...(responseFormat === undefined ? [] : ['response_format']),
    ...(forcesTool(toolChoice) ? ['tool_choice'] : []),
    ...(engine === 'llama.cpp' && (sampling.stop ?? []).length > 0 ? ['stop'] : []),
    ...untoldSampling(engine, sampling, logprobs),
    ...Object.entries(extra)
      .filter(([key, value]) => !knownTo(engine).includes(key) && !isIdle(key, value))
      .map(([key]) => key),
  ];
}

/** Settings that change the probabilities behind the back of those that the engine tells. */
function untoldSampling(
  engine: SampledBy,
  sampling: Sampling,
  logprobs: EngineOptions['logprobs'],
): readonly string[] {
  if (engine === 'llama.cpp') return [];
  const {
    temperature = 1,
    topP = 1,
    topK = 0,
    presencePenalty = 0,
    frequencyPenalty = 0,
  } = sampling;
  // None but llama.cpp tells the probability of a greedy choice, which is 1.
  const isGreedy = temperature < greedyBelow;
  if (engine !== 'sglang' && logprobs === 'processed') return isGreedy ? ['temperature'] : [];
  const { min_p: minP } = sampling.extra ?? {};
  const isBent = engine === 'sglang' ? isGreedy : temperature !== 1;
  return [
    ...(isBent ? ['temperature'] : []),
    ...(topP < 1 ? ['top_p'] : []),
    ...(topK > 0 ? ['top_k'] : []),
    ...(typeof minP === 'number' && minP > 0 ? ['min_p'] : []),
    ...(presencePenalty === 0 ? [] : ['presence_penalty']),
    ...(frequencyPenalty === 0 ? [] : ['frequency_penalty']),
    ...Object.keys(passedOn(engine, sampling.extra)),
  ];
}

/** Names of the settings beyond the usual ones that this engine takes. */
export function knownTo(engine: SampledBy): readonly string[] {
  return [...taken[engine], ...passed[engine]];
}

function isIdle(key: string, value: unknown): boolean {
  return value === null || told.has(key) || (Object.hasOwn(idle, key) && idle[key] === value);
}
