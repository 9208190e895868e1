import { templateOptions } from '../config/renderer-settings.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { addressOf, chooseProvider } from './providers.ts';

/**
 * Before a server of environments takes requests: do the renderer and the tokenizer that its config names fit each other,
 * and is the engine that it names, if it does, one of its kind, with the model of that tokenizer? What a request has to
 * say is looked at with the request.
 * @throws VfError misfit/no_renderer, misfit/tokenizer, misfit/template, misfit/plan
 */
export async function probeTraining(
  { client, sampling, model, providers }: RunConfig,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<void> {
  if (client.type === 'eval') return;
  const { engine, renderer, rendererOptions, tokenizer, replicas, logprobs, otherTemplate } =
    client.train;
  // Engines are loaded by those who train.
  const { checkTraining, openRenderer } = await import('@vf/train');
  const options = { ...rendererOptions, ...templateOptions(sampling) };
  const named = model ?? '';
  const opened =
    renderer === null || tokenizer === null
      ? null
      : await openRenderer({ model: named, renderer, tokenizer, options });
  if (client.baseUrl === null) return;
  const address = addressOf(chooseProvider(client, providers, secrets, null), client, secrets);
  const servers = { ...address, replicas, logprobs, otherTemplate };
  await checkTraining(engine ?? 'vllm', servers, named, opened, signal);
}
