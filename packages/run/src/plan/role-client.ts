import type { Client, Dialect, Sampling } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { relayClient } from '@vf/interception';
import { templateOptions } from '../config/renderer-settings.ts';
import type { ClientConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { addressOf } from './providers.ts';
import type { OnNoKey, Provider } from './providers.ts';

/**
 * What answers a role's calls: a relay to its provider, or with `client.type = "train"` an engine that takes token ids.
 * `chat_template_kwargs` of `sampling` set the renderer. `loadChat` gives Chat Completions, where that engine is asked in it.
 * @throws VfError config/invalid, misfit/no_renderer, misfit/tokenizer
 */
export async function roleClient(
  config: ClientConfig,
  provider: Provider,
  model: string,
  sampling: Sampling,
  secrets: Secrets,
  loadChat: () => Promise<Dialect>,
  onNoKey?: OnNoKey,
): Promise<Client> {
  const address = addressOf(provider, config, secrets, onNoKey);
  if (config.type === 'eval') return relayClient(address);
  const { engine, renderer, tokenizer, logprobs, replicas, otherTemplate } = config.train;
  if (engine === null) {
    throw new VfError('config/invalid', 'client.type = "train" needs to know the engine', {
      hint: 'client.engine = "vllm", "vllm-chat", "sglang" or "llama.cpp"',
    });
  }
  // Renderers and tokenizers are loaded by those who train.
  const { openTrainClient } = await import('@vf/train');
  const servers = { ...address, logprobs, replicas, otherTemplate };
  const settings = { ...servers, engine, model, renderer, tokenizer };
  if (engine === 'vllm-chat') return openTrainClient({ ...settings, chat: await loadChat() });
  const options = { ...config.train.rendererOptions, ...templateOptions(sampling) };
  return openTrainClient({ ...settings, options });
}
