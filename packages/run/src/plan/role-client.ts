import type { Client, Dialect, Sampling } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { relayClient } from '@vf/interception';
import type { PluginHost } from '@vf/plugin-host';
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

interface ClientSurroundings {
  readonly host: PluginHost;
  readonly secrets: Secrets;
  readonly onNoKey?: OnNoKey | undefined;
  readonly signal: AbortSignal;
}

/** Who answers a role's calls, and what they are asked with. */
interface Answerer {
  readonly model: string;
  readonly settings: ClientConfig;
  readonly provider: Provider;
  /** Its `chat_template_kwargs` set the renderer. */
  readonly sampling: Sampling;
}

/**
 * What answers a role's calls: a relay to its provider, or with `client.type = "train"` an engine that takes token ids.
 * @throws VfError config/invalid, misfit/no_renderer, misfit/tokenizer
 */
export async function roleClient(
  { model, settings, provider, sampling }: Answerer,
  { host, secrets, onNoKey, signal }: ClientSurroundings,
): Promise<Client> {
  const address = addressOf(provider, settings, secrets, onNoKey);
  if (settings.type === 'eval') return relayClient(address);
  const { engine, renderer, tokenizer, logprobs, replicas, otherTemplate } = settings.train;
  if (engine === null) throw engineWanted(['client.engine']);
  // Renderers and tokenizers are loaded by those who train.
  const { openTrainClient } = await import('@vf/train');
  const servers = { ...address, logprobs, replicas, otherTemplate };
  const trained = { ...servers, engine, model, renderer, tokenizer };
  if (engine === 'vllm-chat') {
    const { value } = await host.load('dialect', 'chat-completions', signal);
    return openTrainClient({ ...trained, chat: value as Dialect });
  }
  const options = { ...settings.train.rendererOptions, ...templateOptions(sampling) };
  return openTrainClient({ ...trained, options });
}
