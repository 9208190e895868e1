import { isObject, listOf, numberOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Engine, EngineOptions, OnIds, Sample, SampleRequest } from './engine.ts';
import { brokenOff, EngineFailed, noSample, notSampled, refusal } from './engine-failed.ts';
import { bodyWithIds } from './body-with-ids.ts';
import { checkCounts } from './check-counts.ts';
import { EngineHttp } from './engine-http.ts';
import { passedOn } from './engine-sampling.ts';
import { sampleRoutes } from './routes.ts';
import { eventsOf } from './stream-events.ts';
import { filters, samplersOf, samplingOf } from './sampling.ts';

/**
 * llama.cpp's server, `POST /completion`. Its logprobs are those of the model; where temperature or a filter is set,
 * the probabilities after the samplers are asked for instead.
 */
export function llamaCpp(options: EngineOptions): Engine {
  const http = new EngineHttp(options, { endsStreams: true });
  return {
    id: 'llama.cpp',
    async contextLength(_model, signal) {
      const settings = objectOf(await http.get('/props', signal))['default_generation_settings'];
      const size = numberOf(objectOf(settings)['n_ctx']);
      // It calls a context that is full to the last token truncated, and may have shifted it by then.
      return size === null ? null : Math.max(1, size - 1);
    },
    async sample(request, signal, onIds) {
      const rest = bodyOf(request);
      const { promptIds } = request;
      if (onIds === undefined) {
        const body = bodyWithIds('prompt', promptIds, rest);
        return sampleOf(await http.post(path, body, signal), request, rest);
      }
      const body = bodyWithIds('prompt', promptIds, { ...rest, stream: true });
      return sampleOf(await joined(http.events(path, body, signal), onIds), request, rest);
    },
    close: () => http.close(),
  };
}

const path = sampleRoutes['llama.cpp'];

/** The events of a stream as the one answer that they are parts of. */
async function joined(
  batches: AsyncIterable<readonly string[]>,
  onIds: OnIds,
): Promise<JsonObject> {
  const tokens: unknown[] = [];
  const chosen: unknown[] = [];
  let last: JsonObject = {};
  for await (const batch of batches) {
    const before = tokens.length;
    for (const event of eventsOf(batch)) {
      last = event;
      for (const id of listOf(last['tokens'])) tokens.push(id);
      for (const entry of listOf(last['completion_probabilities'])) chosen.push(entry);
    }
    if (tokens.length > before) onIds(tokens.slice(before).map((id) => numberOf(id) ?? -1));
  }
  if (tokens.length > 0 && stringOf(last['stop_type']) === null) throw brokenOff('llama.cpp');
  return { ...last, tokens, completion_probabilities: chosen };
}

/** Samplers that llama.cpp may have been started with, or that a model file names: each where it changes nothing. */
const silent = {
  repeat_penalty: 1,
  typical_p: 1,
  top_n_sigma: -1,
  xtc_probability: 0,
  dry_multiplier: 0,
  dynatemp_range: 0,
  mirostat: 0,
};

function bodyOf({ settings, room }: SampleRequest): JsonObject {
  const sampling = samplingOf(settings);
  if (sampling.stop.length > 0) {
    throw refusal('llama.cpp tells no logprobs for stop words: leave stop out, or use vLLM');
  }
  const own = passedOn('llama.cpp', settings.extra);
  return {
    n_predict: room ?? -1,
    ...samplersOf(sampling),
    ...silent,
    ...own,
    // What is taken from the cache was computed in other batches, whose rounding differs.
    cache_prompt: settings.extra?.['cache_prompt'] !== false,
    return_tokens: true,
    n_probs: 1,
    post_sampling_probs:
      sampling.temperature !== 1 || filters(sampling) || Object.keys(own).length > 0,
  };
}

/** @param asked the body that was sent, without the ids */
function sampleOf(answer: unknown, request: SampleRequest, asked: JsonObject): Sample {
  const body = objectOf(answer);
  const stop = stringOf(body['stop_type']);
  if (!Array.isArray(body['tokens']) || stop === null) {
    throw notSampled(answer, 'llama.cpp answered without tokens: is it older than return_tokens?');
  }
  const prompt = numberOf(body['tokens_evaluated']);
  if (body['truncated'] === true) throw truncated(prompt === request.promptIds.length);
  const chosen = listOf(body['completion_probabilities']);
  const ids = body['tokens'].map((id) => numberOf(id) ?? -1);
  const sampled = numberOf(body['tokens_predicted']);
  checkToldIds(ids, chosen, sampled ?? ids.length);
  checkCounts('llama.cpp', request, ids.length, { prompt, sampled });
  const isAfter = asked['post_sampling_probs'] === true;
  return {
    ids,
    logprobs: chosen.map((entry) => logprobOf(entry, isAfter)),
    finish: stop === 'limit' || stop === 'none' ? 'length' : 'stop',
    rawFinish: stop,
    cached: numberOf(objectOf(body['timings'])['cache_n']),
  };
}

function truncated(isWholePrompt: boolean): EngineFailed {
  return isWholePrompt
    ? new EngineFailed({
        status: 400,
        code: 'context_length',
        message: 'the reply filled the context of llama.cpp',
      })
    : noSample('llama.cpp dropped a part of the prompt');
}

/** The server leaves out all but the last token of a character that is written with several, such as most emoji. */
function checkToldIds(ids: readonly number[], chosen: readonly unknown[], count: number): void {
  const told = chosen.map((entry) => numberOf(objectOf(entry)['id']) ?? -1);
  const isPart = ids.length < count || (told.length > 0 && told.length < ids.length);
  if (isPart) {
    throw noSample(
      `llama.cpp told the logprobs of ${told.length} of ${count} tokens: it leaves out those of characters that take several, use vLLM or SGLang for such text`,
    );
  }
  if (told.length > ids.length || told.some((id, at) => id !== ids[at])) {
    throw noSample(`llama.cpp told the logprobs of other tokens than the ${ids.length} sampled`);
  }
}

/**
 * @param isAfter was the probability after the samplers asked for? It has a name of its own.
 * @throws EngineFailed for one from before them
 */
function logprobOf(entry: unknown, isAfter: boolean): number {
  if (!isObject(entry)) return Number.NaN;
  const { prob, logprob } = entry;
  if (typeof prob === 'number') return Math.log(prob);
  if (isAfter && typeof logprob === 'number') {
    throw noSample(
      'llama.cpp told logprobs from before temperature and filters: is it older than post_sampling_probs?',
    );
  }
  return numberOf(logprob) ?? Number.NaN;
}
