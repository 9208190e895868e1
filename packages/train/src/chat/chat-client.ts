import type { Call, Client, Dialect, Exchange, Reply } from '@vf/core';
import { numberOf, objectOf } from '@vf/core/dialect';
import { promptOf } from '@vf/core/trace';
import type { Tokenizer } from '@vf/renderers';
import { EngineHttp } from '../engine/engine-http.ts';
import { refusal } from '../engine/engine-failed.ts';
import { knownTo, passedOn } from '../engine/engine-sampling.ts';
import type { EngineOptions } from '../engine/engine.ts';
import { sampleRoutes } from '../engine/routes.ts';
import { checkLogprobs, samplersOf, samplingOf } from '../engine/sampling.ts';
import { liveReply } from '../live-reply.ts';
import type { Finished, Sampling } from '../live-reply.ts';
import { checkPast } from '../past.ts';
import { offeredBy } from '../prompt.ts';
import { failureReply, plainReply, replyOf } from '../reply.ts';
import { SharedQuestion } from '../shared-question.ts';
import { noProviderTools } from '../tools.ts';
import type { OfferedTools } from '../tools.ts';
import { ChatAnswerReader } from './chat-answer.ts';
import type { ChatAnswer } from './chat-answer.ts';
import { chatSpace } from './chat-space.ts';
import type { ChatSpace } from './chat-space.ts';
import { anyVocabulary } from './check-answer.ts';
import { finishChat } from './finish-chat.ts';

export interface ChatClientOptions extends EngineOptions {
  readonly model: string;
  /** The model's own; null: how many ids there are is asked of vLLM. */
  readonly tokenizer: Pick<Tokenizer, 'size' | 'sha256' | 'bytes'> | null;
  /** Chat Completions: what the server is asked in. */
  readonly upstream: Dialect;
}

/**
 * Answers agents of any dialect through vLLM's chat endpoint, which applies the model's own template and parses the
 * reply, and tells the ids of both (`return_token_ids`). They are exact, but not told apart by message, and a history
 * that the template prints differently forks.
 */
export function chatClient(options: ChatClientOptions): Client & { close(): Promise<void> } {
  const http = new EngineHttp(options);
  const { model, tokenizer } = options;
  const size = tokenizer?.size ?? null;
  const space = new SharedQuestion((signal) => chatSpace(http, model, size, signal));
  return {
    async send(exchange, signal) {
      try {
        if (exchange.kind === 'models') return plainReply(exchange.dialect.models([options.model]));
        if (exchange.kind === 'count-tokens')
          return await countTokens(http, options, exchange, signal);
        return await ask(http, options, space, exchange, signal);
      } catch (error) {
        return failureReply(exchange, error);
      }
    },
    noProviderTools,
    close: () => http.close(),
  };
}

async function ask(
  http: EngineHttp,
  options: ChatClientOptions,
  space: SharedQuestion<ChatSpace>,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Reply> {
  const call = exchange.call();
  const { settings } = call;
  checkPast(exchange, settings, promptOf(call));
  const samplers = samplingOf(settings);
  checkLogprobs(samplers, passedOn('vllm-chat', settings.extra), options.logprobs);
  const offered = offeredBy(call);
  const body = JSON.stringify({
    ...bodyOf(options, call, offered),
    // What is not said here, vLLM takes from the model's generation_config.json.
    ...samplersOf(samplers),
    repetition_penalty: 1,
  });
  const session = { 'x-session-id': exchange.rollout.id };
  const told = await space.ask(signal);
  const bounds = {
    vocabulary: told.vocabulary ?? anyVocabulary,
    room: settings.maxOutputTokens ?? null,
  };
  const { tokenizer, upstream } = options;
  const finish = (answer: ChatAnswer): Finished =>
    finishChat(answer, call, offered, told, tokenizer);
  if (!settings.stream) {
    const reader = new ChatAnswerReader(upstream, false, bounds);
    reader.push(JSON.stringify(await http.post(path, body, signal, session)), false);
    const { reply, tokens } = finish(reader.end());
    return replyOf(exchange, settings, reply, tokens);
  }
  const sampling: Sampling = async (onDeltas, live) => {
    const reader = new ChatAnswerReader(upstream, true, bounds);
    for await (const batch of http.events(path, body, live, session)) {
      onDeltas(batch.flatMap((data) => reader.push(data, true)));
    }
    return finish(reader.end());
  };
  return liveReply(exchange, settings, sampling, signal);
}

const path = sampleRoutes['vllm-chat'];

/** Keys that vLLM takes beside those of the dialect. */
const passed = knownTo('vllm-chat');

function bodyOf({ upstream }: ChatClientOptions, call: Call, offered: OfferedTools): object {
  const { settings } = call;
  const messages = promptOf(call).map((message) => offered.toModel(message));
  const given = Object.entries(settings.extra ?? {}).filter(([key]) => passed.includes(key));
  return {
    ...upstream.request.write({
      preamble: [],
      messages,
      tools: offered.tools,
      settings: { ...settings, includeUsage: true, extra: Object.fromEntries(given) },
    }),
    stream: settings.stream,
    logprobs: true,
    return_token_ids: true,
    return_tokens_as_token_ids: true,
  };
}

async function countTokens(
  http: EngineHttp,
  options: ChatClientOptions,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Reply> {
  const call = exchange.call();
  const { messages, tools } = objectOf(bodyOf(options, call, offeredBy(call)));
  const { model } = call.settings;
  const body = JSON.stringify({ model, messages, tools, add_generation_prompt: true });
  const count = numberOf(objectOf(await http.post('/tokenize', body, signal))['count']);
  if (count === null) throw refusal('vLLM counted no tokens');
  return plainReply(Buffer.from(JSON.stringify({ input_tokens: count })));
}
