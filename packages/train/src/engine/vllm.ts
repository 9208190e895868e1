import { listOf, numberOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Engine, EngineOptions, OnIds, Sample, SampleRequest } from './engine.ts';
import { noSample, notSampled } from './engine-failed.ts';
import { bodyWithIds } from './body-with-ids.ts';
import { checkCounts } from './check-counts.ts';
import { EngineHttp, eventsOf } from './engine-http.ts';
import { lifted } from './lifted.ts';
import { maxModelLength } from './max-model-length.ts';
import { sampleRoutes } from './routes.ts';
import { routedExpertsOf } from './routed-experts.ts';
import { passedOn } from './engine-sampling.ts';
import { checkLogprobs, samplingOf } from './sampling.ts';
import { samplingMaskOf } from './sampling-mask.ts';
import { chosenList, chosenOf } from './vllm-logprobs.ts';
import type { Chosen } from './vllm-logprobs.ts';
import { weightsOf } from './weights.ts';

/**
 * vLLM, `POST /inference/v1/generate`, which it serves when started with `--enable-scale-out`. Its logprobs are those
 * of the model unless it was started with `--logprobs-mode processed_logprobs`; it does not say which.
 */
export function vllm(options: EngineOptions): Engine {
  const http = new EngineHttp(options);
  return {
    id: 'vllm',
    contextLength: (model, signal) => maxModelLength(http, model, signal),
    async sample(request, signal, onIds) {
      const { promptIds } = request;
      const rest = bodyOf(request, options.logprobs);
      const session = { 'x-session-id': request.session };
      const body = bodyWithIds('token_ids', promptIds, onIds === undefined ? rest : streamed(rest));
      if (onIds === undefined) {
        const bytes = await http.bytes(path, body, signal, session);
        const { answer, list } = lifted(bytes, chosenList);
        return sampleOf(answer, list, request);
      }
      const answer = await joined(http.events(path, body, signal, session), onIds);
      return sampleOf(answer, null, request);
    },
    close: () => http.close(),
  };
}

const path = sampleRoutes.vllm;

function streamed(body: JsonObject): JsonObject {
  return { ...body, stream: true, stream_options: { include_usage: true } };
}

/** The events of a stream as the one answer that they are parts of. */
async function joined(
  batches: AsyncIterable<readonly string[]>,
  onIds: OnIds,
): Promise<JsonObject> {
  const ids: unknown[] = [];
  const content: unknown[] = [];
  let last: JsonObject = {};
  let usage: unknown = null;
  for await (const batch of batches) {
    const before = ids.length;
    for (const event of eventsOf(batch)) {
      usage = event['usage'] ?? usage;
      const [told] = listOf(event['choices']);
      if (told === undefined) continue;
      last = objectOf(told);
      ids.push(...listOf(last['token_ids']));
      content.push(...listOf(objectOf(last['logprobs'])['content']));
    }
    if (ids.length > before) onIds(ids.slice(before).map(idOr));
  }
  if (ids.length === 0 && last['finish_reason'] === undefined) return {};
  return { choices: [{ ...last, token_ids: ids, logprobs: { content } }], usage };
}

function bodyOf(request: SampleRequest, logprobs: EngineOptions['logprobs']): JsonObject {
  const { model, recorded, settings, stopIds, room } = request;
  const sampling = samplingOf(settings);
  const own = passedOn('vllm', settings.extra);
  checkLogprobs(sampling, own, logprobs);
  const { cache_salt: salt, priority } = settings.extra ?? {};
  return {
    model,
    sampling_params: {
      n: 1,
      temperature: sampling.temperature,
      top_p: sampling.topP,
      top_k: sampling.topK,
      min_p: sampling.minP,
      presence_penalty: sampling.presencePenalty,
      frequency_penalty: sampling.frequencyPenalty,
      ...(sampling.seed === null ? {} : { seed: sampling.seed }),
      ...own,
      ...(room === null ? {} : { max_tokens: room }),
      ...(sampling.stop.length === 0 ? {} : { stop: sampling.stop }),
      stop_token_ids: stopIds,
      logprobs: 1,
      skip_special_tokens: false,
      ...(recorded > 0 ? { routed_experts_prompt_start: recorded - 1 } : {}),
    },
    ...(typeof salt === 'string' && salt !== '' ? { cache_salt: salt } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
  };
}

/** @param list the logprobs, where they were lifted out of the answer */
function sampleOf(answer: unknown, list: Chosen | null, request: SampleRequest): Sample {
  const body = objectOf(answer);
  const choice = objectOf(listOf(body['choices'])[0]);
  const finish = stringOf(choice['finish_reason']);
  if (!Array.isArray(choice['token_ids']) || finish === null) {
    throw notSampled(answer, 'vLLM answered without token ids');
  }
  const ids = choice['token_ids'].map(idOr);
  const { ids: told, logprobs } = list ?? chosenOf(choice);
  if (told.length > 0 && (told.length !== ids.length || told.some((id, at) => id !== ids[at]))) {
    throw noSample(`vLLM told the logprobs of other tokens than the ${ids.length} sampled`);
  }
  const usage = objectOf(body['usage']);
  const [prompt, sampled] = [
    numberOf(usage['prompt_tokens']),
    numberOf(usage['completion_tokens']),
  ];
  checkCounts('vLLM', request, ids.length, { prompt, sampled });
  const details = objectOf(usage['prompt_tokens_details']);
  return {
    ids,
    logprobs,
    finish: finish === 'stop' || finish === 'length' ? finish : 'abort',
    rawFinish: finish,
    cached: numberOf(details['cached_tokens']),
    ...routedExpertsOf(choice['routed_experts'], request.promptIds.length + ids.length),
    ...samplingMaskOf(choice['sampling_mask']),
    ...weightsOf(choice['weight_versions'], ids.length),
  };
}

/** −1 is in no vocabulary. */
function idOr(told: unknown): number {
  return numberOf(told) ?? -1;
}
