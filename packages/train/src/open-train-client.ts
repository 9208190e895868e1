import type { Client, Dialect } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Tokenizer } from '@vf/renderers';
import { chatClient } from './chat/chat-client.ts';
import { allPass } from './engine/all-pass.ts';
import { newPatience } from './engine/ask-server.ts';
import { checkEngine } from './engine/check-engine.ts';
import { checkTokenizer } from './engine/check-tokenizer.ts';
import { makeEngine } from './engine/make-engine.ts';
import type { EngineId, EngineOptions } from './engine/engine.ts';
import { checkTraining } from './check-training.ts';
import type { TrainingOptions } from './check-training.ts';
import { openRenderer, readTokenizer } from './open-renderer.ts';
import type { RendererSettings } from './open-renderer.ts';
import { trainClient } from './train-client.ts';

/** `model` is as the engine serves it. */
export interface TrainSettings extends TrainingOptions, RendererSettings {
  /** `vllm-chat`: vLLM's chat endpoint, which renders and parses by itself and tells the ids of both. */
  readonly engine: EngineId | 'vllm-chat';
  /** Chat Completions, in which `vllm-chat` is asked. */
  readonly chat?: Dialect;
}

/**
 * A client for a model behind an engine; asks the engine nothing yet.
 * @throws VfError `misfit/no_renderer` with the list, `misfit/tokenizer`, `config/invalid`
 */
export async function openTrainClient(
  settings: TrainSettings,
): Promise<Client & { close(): Promise<void> }> {
  const { engine, model, renderer, tokenizer, options, chat, ...address } = settings;
  if (engine === 'vllm-chat') {
    const own = tokenizer === null ? null : await readTokenizer(tokenizer);
    return openChatClient(address, model, chat, own);
  }
  const opened = await openRenderer({
    model,
    renderer,
    tokenizer,
    ...(options === undefined ? {} : { options }),
  });
  const client = trainClient({ engine: makeEngine(engine, address), model, ...opened });
  return { ...client, check: (signal) => checkTraining(engine, address, model, opened, signal) };
}

function openChatClient(
  address: EngineOptions,
  model: string,
  upstream: Dialect | undefined,
  tokenizer: Tokenizer | null,
): Client & { close(): Promise<void> } {
  if (upstream !== undefined && (address.replicas ?? []).length === 0) {
    return {
      ...chatClient({ ...address, model, upstream, tokenizer }),
      check: (signal) => checkChat(address, model, tokenizer, signal),
    };
  }
  const missing = upstream === undefined ? 'the dialect chat-completions' : 'one server alone';
  throw new VfError('config/invalid', `the engine vllm-chat needs ${missing}`, {
    hint: 'client.engine = "vllm" takes several servers and any agent',
  });
}

function checkChat(
  options: EngineOptions,
  model: string,
  tokenizer: Tokenizer | null,
  signal: AbortSignal,
): Promise<void> {
  const patience = newPatience();
  const asking = { options, signal, patience };
  return allPass([
    checkEngine('vllm-chat', options, signal, patience),
    ...(tokenizer === null ? [] : [checkTokenizer('vllm', asking, model, tokenizer)]),
  ]);
}
