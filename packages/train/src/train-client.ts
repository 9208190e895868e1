import type { Client, Exchange, Reply, TokenOrigin, Usage } from '@vf/core';
import type { Renderer, Tokenizer } from '@vf/renderers';
import { checkSample } from './check-sample.ts';
import { checkContext, checkRoom } from './engine/check-counts.ts';
import { checkIds } from './engine/check-ids.ts';
import { EngineFailed } from './engine/engine-failed.ts';
import type { Engine, Sample, SampleRequest } from './engine/engine.ts';
import { liveReply } from './live-reply.ts';
import type { Finished, Sampling } from './live-reply.ts';
import { messageOf } from './message.ts';
import { noTools } from './no-tools.ts';
import { promptOfCall } from './prompt.ts';
import { failureReply, plainReply, replyOf } from './reply.ts';
import { SharedQuestion } from './shared-question.ts';
import { originOf } from './token-origin.ts';
import { toldTokens } from './told-tokens.ts';
import { noProviderTools } from './tools.ts';

export interface TrainClientOptions {
  readonly engine: Engine;
  readonly renderer: Renderer;
  /** What the renderer was opened with, for the trace to say, and agents that ask for logprobs. */
  readonly tokenizer?: Pick<Tokenizer, 'sha256' | 'bytes'>;
  /** One more than the largest id of the tokenizer. */
  readonly vocabulary: number;
  /** The served model. */
  readonly model: string;
}

/**
 * Answers agents of any dialect with exact tokens: messages become ids, an engine samples ids, and the reply goes back
 * in the agent's own dialect, streamed while it is sampled as far as the family's marks let text be told. A call that
 * gives no sample to train on fails by name; nothing is made up.
 */
export function trainClient(options: TrainClientOptions): Client & { close(): Promise<void> } {
  const { engine, renderer } = options;
  const { family, limits } = renderer;
  const refused = noTools(renderer);
  const told = { ...options, origin: originOf(options) };
  const context = new SharedQuestion((signal) => engine.contextLength(options.model, signal));
  return {
    async send(exchange, signal) {
      try {
        if (exchange.kind === 'models') return plainReply(exchange.dialect.models([options.model]));
        if (exchange.kind === 'count-tokens') return countTokens(options, exchange);
        return await sample(told, exchange, await context.ask(signal), signal);
      } catch (error) {
        return failureReply(exchange, error);
      }
    },
    notes: limits.length === 0 ? [] : [`renderer ${family}: ${limits.join('; ')}`],
    ...(refused === null ? {} : { noTools: refused }),
    noProviderTools,
    close: () => engine.close(),
  };
}

async function sample(
  options: ToldOptions,
  exchange: Exchange,
  context: number | null,
  signal: AbortSignal,
): Promise<Reply> {
  const { engine, renderer, vocabulary } = options;
  const turn = turnOf(options, exchange, context);
  const { settings } = turn.request;
  // A stop word takes back what was sampled in front of it.
  if (!settings.stream || (settings.stop ?? []).length > 0) {
    const { reply, tokens } = turn.finish(await engine.sample(turn.request, signal));
    return replyOf(exchange, settings, reply, tokens);
  }
  const follower = renderer.follow(turn.request.promptIds);
  const sampling: Sampling = async (onDeltas, live) => {
    let count = 0;
    const onIds = (ids: ArrayLike<number>): void => {
      count += ids.length;
      checkRoom(engine.id, turn.request.room, count);
      checkIds(engine.id, ids, vocabulary);
      onDeltas(follower.push(ids));
    };
    return turn.finish(await engine.sample(turn.request, live, onIds));
  };
  return liveReply(exchange, settings, sampling, signal);
}

/** Options, and what every turn says of its ids. */
type ToldOptions = TrainClientOptions & { readonly origin: TokenOrigin };

/** What to ask the engine, and what its answer is. */
interface SampledTurn {
  readonly request: SampleRequest;
  /** @throws EngineFailed when it cannot be trained on */
  finish(sampled: Sample): Finished;
}

function turnOf(
  { engine, renderer, tokenizer, vocabulary, origin }: ToldOptions,
  exchange: Exchange,
  context: number | null,
): SampledTurn {
  const { settings, offered, prompt } = promptOfCall(renderer, exchange);
  const { promptIds, spans, isContent, recordedLength, spelledControls } = prompt;
  const { stopIds } = renderer;
  const request = {
    model: settings.model,
    promptIds,
    recordedLength,
    settings,
    stopIds,
    vocabulary,
    room: roomFor(promptIds.length, context, settings.maxOutputTokens ?? null),
    session: exchange.rollout.id,
  };
  return {
    request,
    finish(sampled) {
      const { stop = [] } = settings;
      const checked = checkSample(engine.id, sampled, stopIds, vocabulary, stop);
      const { completionIds, finish, cached, ...side } = checked;
      checkContext(engine.id, promptIds.length, completionIds.length, context);
      const parsed = renderer.parse(completionIds, offered.tools, promptIds);
      const { newId } = exchange.rollout;
      const { message, malformedCalls, stopWord } = messageOf(parsed, offered, settings, newId);
      const isCall = finish === 'stop' && message.toolCalls !== undefined;
      const reply = {
        message,
        finish: isCall ? ('tool_calls' as const) : finish,
        // The engine's own word is none of the dialect's.
        rawFinish: null,
        ...(stopWord !== null && finish === 'stop' && !isCall ? { stopWord } : {}),
        ...toldTokens(tokenizer, checked),
        usage: usageOf(promptIds.length, completionIds.length, cached),
        model: settings.model,
        id: null,
        error: null,
        whole: true,
      };
      const space = { vocabulary, context };
      const content = isContent === undefined ? {} : { isContent };
      const counts = { malformedCalls, spelledControls };
      const prompted = { promptIds, completionIds, spans, space, origin, counts };
      return { reply, tokens: { ...prompted, ...content, ...side } };
    },
  };
}

function countTokens({ renderer }: TrainClientOptions, exchange: Exchange): Reply {
  const { prompt } = promptOfCall(renderer, exchange);
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

function usageOf(prompt: number, sampled: number, cached: number | null): Usage {
  return {
    inputTokens: prompt,
    outputTokens: sampled,
    ...(cached === null ? {} : { cachedInputTokens: Math.min(cached, prompt) }),
  };
}
