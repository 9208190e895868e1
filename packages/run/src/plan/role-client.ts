import type { Client, Dialect, Sampling } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { relayClient } from '@vf/interception';
import { templateOptions } from '../config/renderer-settings.ts';
import type { ClientConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { addressOf } from './providers.ts';
import type { OnNoKey, Provider } from './providers.ts';

/**
 * Before a key is looked for: training needs an engine and its address, which no provider's key stands for.
 * @throws VfError config/invalid
 */
export function checkEngineNamed({ type, provider, baseUrl, train }: ClientConfig): void {
  if (type === 'eval') return;
  const missing = [
    ...(train.engine === null ? ['client.engine'] : []),
    ...(provider === null && baseUrl === null ? ['client.base_url'] : []),
  ];
  if (missing.length > 0) throw engineWanted(missing);
}

function engineWanted(missing: readonly string[]): VfError {
  const remedies = missing.map((key) => remedy[key] ?? key);
  return new VfError('config/invalid', `client.type = "train" needs ${missing.join(' and ')}`, {
    hint: remedies.join('; '),
  });
}

const remedy: Readonly<Record<string, string>> = {
  'client.engine': 'client.engine = "vllm", "vllm-chat", "sglang" or "llama.cpp"',
  'client.base_url': '--base-url http://127.0.0.1:8000/v1, where the engine listens',
};

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
  if (engine === null) throw engineWanted(['client.engine']);
  // Renderers and tokenizers are loaded by those who train.
  const { openTrainClient } = await import('@vf/train');
  const servers = { ...address, logprobs, replicas, otherTemplate };
  const settings = { ...servers, engine, model, renderer, tokenizer };
  if (engine === 'vllm-chat') return openTrainClient({ ...settings, chat: await loadChat() });
  const options = { ...config.train.rendererOptions, ...templateOptions(sampling) };
  return openTrainClient({ ...settings, options });
}
