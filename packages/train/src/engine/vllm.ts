import { numberOf, objectOf, parseJson, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Engine, EngineOptions, OnIds, Sample, SampleRequest } from './engine.ts';
import { brokenOff, noSample, notSampled } from './engine-failed.ts';
import type { EngineFailed } from './engine-failed.ts';
import { bodyWithIds } from './body-with-ids.ts';
import { checkCounts } from './check-counts.ts';
import { EngineHttp } from './engine-http.ts';
import { maxModelLength } from './max-model-length.ts';
import { sampleRoutes } from './routes.ts';
import { routedExpertsOf } from './routed-experts.ts';
import { passedOn } from './engine-sampling.ts';
import { checkLogprobs, queueingOf, samplersOf, samplingOf } from './sampling.ts';
import { samplingMaskOf } from './sampling-mask.ts';
import { SampledTokens } from './sampled-tokens.ts';
import { choiceOf, readAnswer, takeAnswer } from './vllm-answer.ts';
import { VllmEvents } from './vllm-events.ts';
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
        return sampleOf(await http.read(path, body, signal, session, toldAtOnce), request);
      }
      return sampleOf(await joined(http.chunks(path, body, signal, session), onIds), request);
    },
    close: () => http.close(),
  };
}

const path = sampleRoutes.vllm;
const utf8 = new TextDecoder();

function streamed(body: JsonObject): JsonObject {
  return { ...body, stream: true, stream_options: { include_usage: true } };
}

/** What vLLM told, in one piece or in many. */
interface Told {
  readonly tokens: SampledTokens;
  /** Does it tell the logprobs of its own ids, if it tells some? */
  readonly areOwn: boolean;
  /** The rest of it. */
  readonly choice: JsonObject;
  readonly usage: unknown;
}

/** @throws EngineFailed for an answer without ids */
function toldAtOnce(bytes: Buffer): Told {
  const tokens = new SampledTokens();
  const form = readAnswer(bytes, tokens);
  if (form !== null) {
    return { tokens, areOwn: true, choice: choiceOf(form.answer), usage: form.answer['usage'] };
  }
  const answer = objectOf(parseJson(utf8.decode(bytes)));
  const choice = choiceOf(answer);
  if (!Array.isArray(choice['token_ids'])) throw withoutIds(answer);
  return { tokens, areOwn: takeAnswer(answer, tokens), choice, usage: answer['usage'] };
}

async function joined(chunks: AsyncIterable<Buffer>, onIds: OnIds): Promise<Told> {
  const events = new VllmEvents();
  const { tokens } = events;
  for await (const chunk of chunks) {
    const before = tokens.count;
    events.push(chunk);
    if (tokens.count > before) onIds(tokens.ids.subarray(before));
  }
  if (tokens.count > 0 && stringOf(events.choice['finish_reason']) === null) {
    throw brokenOff('vLLM');
  }
  return events;
}

function bodyOf(request: SampleRequest, logprobs: EngineOptions['logprobs']): JsonObject {
  const { model, recordedLength, settings, stopIds, room } = request;
  const sampling = samplingOf(settings);
  const own = passedOn('vllm', settings.extra);
  checkLogprobs(sampling, own, logprobs);
  return {
    model,
    sampling_params: {
      n: 1,
      ...samplersOf(sampling),
      ...own,
      ...(room === null ? {} : { max_tokens: room }),
      ...(sampling.stop.length === 0 ? {} : { stop: sampling.stop }),
      stop_token_ids: stopIds,
      logprobs: 1,
      skip_special_tokens: false,
      ...(recordedLength > 0 ? { routed_experts_prompt_start: recordedLength - 1 } : {}),
    },
    ...queueingOf(settings),
  };
}

function sampleOf({ tokens, areOwn, choice, usage }: Told, request: SampleRequest): Sample {
  const { ids, logprobs } = tokens;
  const finish = stringOf(choice['finish_reason']);
  if (finish === null) throw withoutIds(choice);
  if (!areOwn) {
    throw noSample(`vLLM told the logprobs of other tokens than the ${ids.length} sampled`);
  }
  const counts = objectOf(usage);
  const [prompt, sampled] = [
    numberOf(counts['prompt_tokens']),
    numberOf(counts['completion_tokens']),
  ];
  checkCounts('vLLM', request, ids.length, { prompt, sampled });
  const details = objectOf(counts['prompt_tokens_details']);
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

function withoutIds(answer: unknown): EngineFailed {
  return notSampled(answer, 'vLLM answered without token ids');
}
