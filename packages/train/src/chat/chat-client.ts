import type { Call, Client, Dialect, Exchange, ReadReply, Reply, ToolCall } from '@vf/core';
import { numberOf, objectOf } from '@vf/core/dialect';
import { promptOf } from '@vf/core/trace';
import { checkSample } from '../check-sample.ts';
import { checkAnswer } from './check-answer.ts';
import { EngineHttp } from '../engine/engine-http.ts';
import { EngineFailed, noSample, refusal } from '../engine/engine-failed.ts';
import { knownTo, passedOn } from '../engine/engine-sampling.ts';
import type { EngineOptions } from '../engine/engine.ts';
import { sampleRoutes } from '../engine/routes.ts';
import { checkLogprobs, samplingOf } from '../engine/sampling.ts';
import { liveReply } from '../live-reply.ts';
import type { Finished, Sampling } from '../live-reply.ts';
import { failureReply, plainReply, replyOf } from '../reply.ts';
import { chatOrigin } from '../token-origin.ts';
import { offer } from '../tools.ts';
import type { OfferedTools } from '../tools.ts';
import { ChatAnswerReader } from './chat-answer.ts';
import type { ChatAnswer } from './chat-answer.ts';

export interface ChatClientOptions extends EngineOptions {
  readonly model: string;
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
  return {
    async send(exchange, signal) {
      try {
        if (exchange.kind === 'models') return plainReply(exchange.dialect.models([options.model]));
        if (exchange.kind === 'count-tokens')
          return await countTokens(http, options, exchange, signal);
        return await ask(http, options, exchange, signal);
      } catch (error) {
        return failureReply(exchange, error);
      }
    },
    close: () => http.close(),
  };
}

async function ask(
  http: EngineHttp,
  options: ChatClientOptions,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Reply> {
  const call = exchange.call();
  const { settings } = call;
  checkLogprobs(samplingOf(settings), passedOn('vllm-chat', settings.extra), options.logprobs);
  const offered = offer(settings.toolChoice === 'none' ? [] : call.tools);
  const body = JSON.stringify(bodyOf(options, call, offered));
  const session = { 'x-session-id': exchange.rollout.id };
  const finish = (answer: ChatAnswer): Finished => finished(answer, call, offered);
  if (!settings.stream) {
    const reader = new ChatAnswerReader(options.upstream, false);
    reader.push(JSON.stringify(await http.post(path, body, signal, session)), false);
    const { reply, tokens } = finish(reader.end());
    return replyOf(exchange, settings, reply, tokens);
  }
  const sampling: Sampling = async (onDeltas, live) => {
    const reader = new ChatAnswerReader(options.upstream, true);
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
  const { topK } = settings;
  return {
    ...upstream.request.write({
      preamble: [],
      messages,
      tools: offered.tools,
      settings: { ...settings, includeUsage: true, extra: Object.fromEntries(given) },
    }),
    stream: settings.stream,
    ...(topK === undefined ? {} : { top_k: topK }),
    logprobs: true,
    return_token_ids: true,
  };
}

/** @throws EngineFailed when it cannot be trained on */
function finished(answer: ChatAnswer, call: Call, offered: OfferedTools): Finished {
  const { reply, promptIds, ids, logprobs } = answer;
  if (reply.error !== null) throw new EngineFailed(reply.error);
  if (promptIds === null || ids === null || !reply.whole || reply.message === null) {
    throw noSample('vLLM answered a chat without token ids: is it older than return_token_ids?');
  }
  checkAnswer(promptIds, ids, reply, call.settings.maxOutputTokens ?? null);
  const sample = { ids, logprobs, finish: 'stop', rawFinish: '', cached: null } as const;
  const checked = checkSample('vllm', sample, [], anyVocabulary);
  return {
    reply: {
      ...reply,
      message: forAgent(reply.message, offered),
      model: call.settings.model,
      id: null,
    },
    tokens: {
      promptIds: Int32Array.from(promptIds),
      completionIds: checked.completionIds,
      logprobs: checked.logprobs,
      spans: promptOf(call).map(() => null),
      origin: chatOrigin,
    },
  };
}

/** The tokenizer is the server's own; its ids are whole numbers of 32 bits. */
const anyVocabulary = 2 ** 31;

/** Calls as the agent knows its tools; one whose arguments do not fit stays visible as text. */
function forAgent(
  message: NonNullable<ReadReply['message']>,
  offered: OfferedTools,
): NonNullable<ReadReply['message']> {
  const { toolCalls, ...rest } = message;
  if (toolCalls === undefined) return message;
  const made = toolCalls.map((call) => offered.toAgent(call));
  const calls = made.filter((call): call is ToolCall => call !== null);
  const unfit = toolCalls.filter((_, at) => made[at] === null).map((call) => call.arguments);
  const content = [message.content ?? '', ...unfit].filter((text) => text !== '').join('\n');
  return {
    ...rest,
    content: content === '' ? message.content : content,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}

async function countTokens(
  http: EngineHttp,
  options: ChatClientOptions,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Reply> {
  const call = exchange.call();
  const { messages, tools } = objectOf(bodyOf(options, call, offer(call.tools)));
  const { model } = call.settings;
  const body = JSON.stringify({ model, messages, tools, add_generation_prompt: true });
  const count = numberOf(objectOf(await http.post('/tokenize', body, signal))['count']);
  if (count === null) throw refusal('vLLM counted no tokens');
  return plainReply(Buffer.from(JSON.stringify({ input_tokens: count })));
}
