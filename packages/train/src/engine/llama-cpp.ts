import { isObject, listOf, numberOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Engine, EngineOptions, Sample, SampleRequest } from './engine.ts';
import { noSample, refusal } from './engine-failed.ts';
import { EngineHttp } from './engine-http.ts';
import { filters, samplingOf } from './sampling.ts';

/**
 * llama.cpp's server, `POST /completion`. Its logprobs are those of the model; where temperature or a filter is set,
 * the probabilities after the samplers are asked for instead.
 */
export function llamaCpp(options: EngineOptions): Engine {
  const http = new EngineHttp(options);
  return {
    id: 'llama.cpp',
    async contextLength(_model, signal) {
      const settings = objectOf(await http.get('/props', signal))['default_generation_settings'];
      return numberOf(objectOf(settings)['n_ctx']);
    },
    async sample(request, signal) {
      const body = bodyOf(request);
      return sampleOf(await http.post('/completion', body, signal));
    },
    close: () => http.close(),
  };
}

function bodyOf({ promptIds, settings, room }: SampleRequest): JsonObject {
  const sampling = samplingOf(settings);
  if (sampling.stop.length > 0) {
    throw refusal('llama.cpp tells no logprobs for stop words: leave stop out, or use vLLM');
  }
  return {
    prompt: [...promptIds],
    n_predict: room ?? -1,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    ...(sampling.seed === null ? {} : { seed: sampling.seed }),
    cache_prompt: true,
    return_tokens: true,
    n_probs: 1,
    post_sampling_probs: sampling.temperature !== 1 || filters(sampling),
  };
}

function sampleOf(answer: unknown): Sample {
  const body = objectOf(answer);
  const stop = stringOf(body['stop_type']);
  if (!Array.isArray(body['tokens']) || stop === null) {
    throw noSample('llama.cpp answered without tokens: is it older than return_tokens?');
  }
  if (body['truncated'] === true) throw noSample('llama.cpp dropped a part of the prompt');
  const chosen = listOf(body['completion_probabilities']);
  const ids = body['tokens'].map((id) => numberOf(id) ?? -1);
  const told = chosen.map((entry) => numberOf(objectOf(entry)['id']) ?? -1);
  if (told.length > 0 && (told.length !== ids.length || told.some((id, at) => id !== ids[at]))) {
    throw noSample(`llama.cpp told the logprobs of other tokens than the ${ids.length} sampled`);
  }
  return {
    ids,
    logprobs: chosen.map(logprobOf),
    finish: stop === 'limit' || stop === 'none' ? 'length' : 'stop',
    rawFinish: stop,
    cached: numberOf(objectOf(body['timings'])['cache_n']),
  };
}

function logprobOf(entry: unknown): number {
  if (!isObject(entry)) return Number.NaN;
  const { prob, logprob } = entry;
  return typeof prob === 'number' ? Math.log(prob) : (numberOf(logprob) ?? Number.NaN);
}
