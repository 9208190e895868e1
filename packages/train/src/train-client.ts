import type { Call, Client, Exchange, Reply, Usage } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { promptOf } from '@vf/core/trace';
import type { Renderer } from '@vf/renderers';
import { checkSample } from './check-sample.ts';
import type { CheckedSample } from './check-sample.ts';
import { EngineFailed, noSample } from './engine/engine-failed.ts';
import type { Engine } from './engine/engine.ts';
import { messageOf } from './message.ts';
import { promptOfCall } from './prompt.ts';
import { errorReply, plainReply, replyOf } from './reply.ts';
import { offer } from './tools.ts';

export interface TrainClientOptions {
  readonly engine: Engine;
  readonly renderer: Renderer;
  /** One more than the largest id of the tokenizer. */
  readonly vocabulary: number;
  /** The served model. */
  readonly model: string;
}

/**
 * Answers agents of any dialect with exact tokens: messages become ids, an engine samples ids, and the reply goes back
 * in the agent's own dialect. It is sampled whole, then streamed. A call that gives no sample to train on fails by
 * name; nothing is made up.
 */
export function trainClient(options: TrainClientOptions): Client & { close(): Promise<void> } {
  const { engine } = options;
  let context: Promise<number | null> | null = null;
  const contextLength = (signal: AbortSignal): Promise<number | null> => {
    context ??= engine.contextLength(options.model, signal).catch((error: unknown) => {
      context = null;
      throw error;
    });
    return context;
  };
  return {
    async send(exchange, signal) {
      try {
        if (exchange.kind === 'models') return plainReply(exchange.dialect.models([options.model]));
        if (exchange.kind === 'count-tokens') return countTokens(options, exchange);
        return await sample(options, exchange, await contextLength(signal), signal);
      } catch (error) {
        return failed(exchange, error);
      }
    },
    close: () => engine.close(),
  };
}

async function sample(
  { engine, renderer, vocabulary }: TrainClientOptions,
  exchange: Exchange,
  context: number | null,
  signal: AbortSignal,
): Promise<Reply> {
  const call = exchange.call();
  const { settings } = call;
  const { offered, prompt } = render(renderer, call, exchange);
  const { promptIds, spans, isContent, recorded } = prompt;
  const { stopIds } = renderer;
  const sampled = await engine.sample(
    {
      model: settings.model,
      promptIds,
      recorded,
      settings,
      stopIds,
      room: roomFor(promptIds.length, context, settings.maxOutputTokens ?? null),
      session: exchange.rollout.id,
    },
    signal,
  );
  const checked = checkSample(engine.id, sampled, stopIds, vocabulary);
  const { completionIds, logprobs, finish, rawFinish, routedExperts, samplingMask } = checked;
  if (context !== null && promptIds.length + completionIds.length > context) {
    throw noSample(
      `${engine.id} sampled ${completionIds.length} tokens behind ${promptIds.length} in a context of ${context}`,
    );
  }
  const parsed = renderer.parse(completionIds, offered.tools);
  const message = messageOf(parsed, offered, settings.stop ?? [], exchange.rollout.newId);
  const isCall = finish === 'stop' && message.toolCalls !== undefined;
  const tokens = {
    promptIds,
    completionIds,
    logprobs,
    spans,
    space: { vocabulary, context },
    ...(isContent === undefined ? {} : { isContent }),
    ...(routedExperts === undefined ? {} : { routedExperts }),
    ...(samplingMask === undefined ? {} : { samplingMask }),
  };
  return replyOf(
    exchange,
    settings,
    {
      message,
      finish: isCall ? 'tool_calls' : finish,
      rawFinish,
      usage: usageOf(promptIds.length, checked),
      model: settings.model,
      id: null,
      error: null,
      whole: true,
    },
    tokens,
  );
}

function render(renderer: Renderer, call: Call, exchange: Exchange) {
  const offered = offer(call.settings.toolChoice === 'none' ? [] : call.tools);
  const messages = promptOf(call).map((message) => offered.toModel(message));
  return { offered, prompt: promptOfCall(renderer, messages, offered.tools, exchange.prefix()) };
}

function countTokens({ renderer }: TrainClientOptions, exchange: Exchange): Reply {
  const { prompt } = render(renderer, exchange.call(), exchange);
  return plainReply(Buffer.from(JSON.stringify({ input_tokens: prompt.promptIds.length })));
}

/**
 * Most ids that a reply may have; null: nobody says.
 * @throws EngineFailed when the prompt alone does not fit; one that fills the context is the engine's to refuse
 */
function roomFor(prompt: number, context: number | null, asked: number | null): number | null {
  if (context === null) return asked;
  if (prompt > context) {
    throw new EngineFailed({
      status: 400,
      code: 'context_length',
      message: `the prompt is too long: ${prompt} tokens, maximum context length ${context}`,
    });
  }
  return Math.max(1, Math.min(asked ?? Number.POSITIVE_INFINITY, context - prompt));
}

function usageOf(prompt: number, { completionIds, cached }: CheckedSample): Usage {
  return {
    inputTokens: prompt,
    outputTokens: completionIds.length,
    ...(cached === null ? {} : { cachedInputTokens: Math.min(cached, prompt) }),
  };
}

/** @throws what is no failure of a call, such as `SendFailed` */
function failed(exchange: Exchange, error: unknown): Reply {
  if (error instanceof EngineFailed) return errorReply(exchange, error.error);
  if (!VfError.isInstance(error)) throw error;
  // An image, a message or tool that the model's template has no place for.
  return errorReply(exchange, { status: 400, code: 'invalid', message: error.message });
}
