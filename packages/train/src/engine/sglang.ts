import { listOf, numberOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Engine, EngineOptions, OnIds, Sample, SampleRequest } from './engine.ts';
import { brokenOff, malformed, noSample, notSampled, refusal } from './engine-failed.ts';
import { bodyWithIds } from './body-with-ids.ts';
import { checkCounts } from './check-counts.ts';
import { EngineHttp } from './engine-http.ts';
import { maxModelLength } from './max-model-length.ts';
import { sampleRoutes } from './routes.ts';
import { filters, greedyBelow, queueingOf, samplingOf } from './sampling.ts';
import { eventOf } from './stream-events.ts';
import { weightsOf } from './weights.ts';

/** SGLang, `POST /generate`. Its logprobs are after the temperature but before any filter. */
export function sglang(options: EngineOptions): Engine {
  const http = new EngineHttp(options);
  return {
    id: 'sglang',
    contextLength: (model, signal) => maxModelLength(http, model, signal),
    async sample(request, signal, onIds) {
      const rest = bodyOf(request);
      const { promptIds } = request;
      const body = bodyWithIds('input_ids', promptIds, onIds === undefined ? rest : streamed(rest));
      if (onIds === undefined) return sampleOf(await http.post(path, body, signal), request);
      return sampleOf(await joined(http.events(path, body, signal), onIds), request);
    },
    close: () => http.close(),
  };
}

const path = sampleRoutes.sglang;

/**
 * Ids between two events. Each event of SGLang tells the whole completion again, so the bytes grow with the square of
 * its length.
 */
const interval = 8;

function streamed(body: JsonObject): JsonObject {
  const params = { ...objectOf(body['sampling_params']), stream_interval: interval };
  return { ...body, sampling_params: params, stream: true };
}

/** The last event, which tells all, or all of them where the server was started to tell each id once. */
async function joined(
  batches: AsyncIterable<readonly string[]>,
  onIds: OnIds,
): Promise<JsonObject> {
  let ids: unknown[] = [];
  let logprobs: unknown[] = [];
  let last: JsonObject = {};
  let heard = 0;
  let isCumulative = false;
  for await (const batch of batches) {
    for (const data of isCumulative ? batch.slice(-1) : batch) {
      last = eventOf(data);
      const meta = objectOf(last['meta_info']);
      const told = listOf(last['output_ids']);
      const isWhole = told.length === numberOf(meta['completion_tokens']);
      isCumulative ||= isWhole && ids.length > 0 && told.length > ids.length;
      if (isWhole) ids = [];
      for (const id of told) ids.push(id);
      const chosen = listOf(meta['output_token_logprobs']);
      if (isWhole) logprobs = [];
      for (const entry of chosen) logprobs.push(entry);
    }
    if (ids.length > heard) onIds(ids.slice(heard).map((id) => numberOf(id) ?? -1));
    heard = ids.length;
  }
  const { finish_reason: finish } = objectOf(last['meta_info']);
  if (ids.length > 0 && finish == null) throw brokenOff('SGLang');
  const meta = { ...objectOf(last['meta_info']), output_token_logprobs: logprobs };
  return { ...last, output_ids: ids, meta_info: meta };
}

/** SGLang samples 128 ids when it is not told how many. */
const enough = 1 << 20;

function bodyOf({ settings, stopIds, room, session }: SampleRequest): JsonObject {
  const sampling = samplingOf(settings);
  if (sampling.temperature < greedyBelow || filters(sampling)) {
    throw refusal(
      'SGLang tells logprobs from before top_p, top_k, min_p, penalties and greedy choice: sample without them',
    );
  }
  return {
    sampling_params: {
      max_new_tokens: room ?? enough,
      temperature: sampling.temperature,
      top_p: 1,
      top_k: -1,
      min_p: 0,
      presence_penalty: 0,
      frequency_penalty: 0,
      repetition_penalty: 1,
      ...(sampling.seed === null ? {} : { sampling_seed: sampling.seed }),
      ...(sampling.stop.length === 0 ? {} : { stop: sampling.stop }),
      stop_token_ids: stopIds,
      skip_special_tokens: false,
    },
    return_logprob: true,
    logprob_start_len: -1,
    session_id: session,
    ...queueingOf(settings),
  };
}

function sampleOf(answer: unknown, request: SampleRequest): Sample {
  const body = objectOf(answer);
  const meta = objectOf(body['meta_info']);
  const reason = objectOf(meta['finish_reason']);
  const finish = stringOf(reason['type']);
  if (finish === null) throw notSampled(answer, 'SGLang answered without a finish reason');
  if (!Array.isArray(body['output_ids'])) throw malformed('SGLang answered without output_ids');
  const ids = body['output_ids'].map((id) => numberOf(id) ?? -1);
  const chosen = listOf(meta['output_token_logprobs']).map(listOf);
  checkCounts('SGLang', request, ids.length, {
    prompt: numberOf(meta['prompt_tokens']),
    sampled: numberOf(meta['completion_tokens']) ?? Number.NaN,
  });
  if (chosen.some(([, id], at) => id !== ids[at])) {
    throw noSample(`SGLang told the logprobs of other tokens than the ${ids.length} sampled`);
  }
  return {
    ids,
    logprobs: chosen.map(([logprob]) => numberOf(logprob) ?? Number.NaN),
    finish: finish === 'stop' || finish === 'length' ? finish : 'abort',
    rawFinish: stringOf(reason['message']) ?? finish,
    cached: numberOf(meta['cached_tokens']),
    ...weightsOf(meta['weight_versions'], ids.length),
  };
}
