import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { OpenedRenderer, RendererSettings } from '@vf/train';
import { templateOptions } from '../config/renderer-settings.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { addressOf, chooseProvider } from './providers.ts';

const patienceMs = 5_000;

/**
 * Before a server of environments takes requests: do the renderer and the tokenizer that its config names fit each other,
 * and is the engine that it names, if it does, one of its kind, with the model of that tokenizer? What a request has to
 * say is looked at with the request.
 * @returns what requests have to bring because the config lacks it, and servers that do not answer yet
 * @throws VfError misfit/no_renderer, misfit/tokenizer, misfit/template, misfit/plan
 */
export async function probeTraining(
  { client, sampling, model, providers }: RunConfig,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  if (client.type === 'eval') return [];
  const { engine, renderer, rendererOptions, tokenizer, replicas, logprobs, otherTemplate } =
    client.train;
  const options = { ...rendererOptions, ...templateOptions(sampling) };
  const settings = { model: model ?? '', renderer, tokenizer, options };
  const { opened, gaps } =
    engine === 'vllm-chat' ? { opened: null, gaps: [noRenderers] } : await openSaid(settings);
  if (client.baseUrl === null) return gaps;
  const address = addressOf(chooseProvider(client, providers, secrets, null), client, secrets);
  // Engines are loaded by those who train.
  const { checkTraining } = await import('@vf/train');
  const servers = { ...address, replicas, logprobs, otherTemplate };
  const [silent] = await Promise.all([
    silentOf([address.baseUrl, ...replicas], signal),
    checkTraining(engine ?? 'vllm', servers, settings.model, opened, signal),
  ]);
  return [...gaps, ...silent];
}

const noRenderers: Problem = {
  path: 'client.engine',
  message: 'vllm-chat has no renderer: requests of type train are answered with config/invalid',
  fix: 'client.engine = "vllm"',
};

interface Said {
  /** null where the config leaves a part of it to the requests. */
  readonly opened: OpenedRenderer | null;
  readonly gaps: readonly Problem[];
}

/** @throws VfError for what is named and wrong; no request could mend it */
async function openSaid(settings: RendererSettings): Promise<Said> {
  const { openRenderer, readTokenizer } = await import('@vf/train');
  const { renderer, tokenizer } = settings;
  const isWhole = renderer !== null && tokenizer !== null;
  try {
    const opened = await openRenderer(settings);
    return { opened: isWhole ? opened : null, gaps: [] };
  } catch (error) {
    if (!VfError.isInstance(error) || isWhole) throw error;
    const isUnknown = error.code === 'misfit/no_renderer';
    if (isUnknown && renderer !== null) throw error;
    if (tokenizer !== null) await readTokenizer(tokenizer);
    return { opened: null, gaps: gapsOf(settings, error, isUnknown) };
  }
}

function gapsOf(
  { model, renderer, tokenizer }: RendererSettings,
  { message, hint }: VfError,
  isUnknown: boolean,
): Problem[] {
  const byName = model === '' ? 'no model is named by which it could be told' : message;
  return [
    ...(renderer === null && isUnknown
      ? [
          {
            path: 'client.renderer',
            message: `is not set (${byName}): requests that name neither a renderer nor a model with a known one are answered with misfit/no_renderer`,
            fix: 'client.renderer = "FAMILY"',
          },
        ]
      : []),
    ...(tokenizer === null
      ? [
          {
            path: 'client.tokenizer',
            message:
              'is not set: requests for a model that is no folder with a tokenizer.json are answered with misfit/tokenizer',
            fix: 'client.tokenizer = "FOLDER" with the tokenizer.json of the model',
          },
        ]
      : []),
    ...(tokenizer !== null && !isUnknown
      ? [{ path: 'client.tokenizer', message, ...(hint === null ? {} : { fix: hint }) }]
      : []),
  ];
}

/** Servers that cannot be reached: a trainer may start its engine after this one. */
async function silentOf(urls: readonly string[], signal: AbortSignal): Promise<Problem[]> {
  const found = await Promise.all(
    urls.map(async (url) => ({ url, why: await silence(url, signal) })),
  );
  return found.flatMap(({ url, why }) =>
    why === null
      ? []
      : [
          {
            path: url === urls[0] ? 'client.base_url' : 'client.replicas',
            message: `${url} does not answer (${why}), so what runs there was not looked at`,
            fix: 'start the engine, or let the requests name another',
          },
        ],
  );
}

/** null for a server that answers, whatever it answers. */
async function silence(url: string, signal: AbortSignal): Promise<string | null> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    await (await fetch(url, { signal: bounded })).body?.cancel();
    return null;
  } catch (error) {
    signal.throwIfAborted();
    const { cause } = error instanceof Error ? error : { cause: undefined };
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    return String(code ?? (error instanceof Error ? error.message : error));
  }
}
