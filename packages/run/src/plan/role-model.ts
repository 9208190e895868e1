import type { Client, Price, Sampling } from '@vf/core';
import { SendFailed } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { LoadedPlugin, PluginHost } from '@vf/plugin-host';
import type { ClientConfig, RunConfig } from '../config/run-config.ts';
import { findPrice } from '../prices/find-price.ts';
import type { Secrets } from '../secrets.ts';
import { samplingProblems } from './engine-sampling.ts';
import type { PlannedHarness } from './harness.ts';
import { chooseProvider } from './providers.ts';
import type { OnNoKey, Provider } from './providers.ts';
import { checkEngineNamed, roleClient } from './role-client.ts';

/** What planning a role's calls needs of its surroundings. */
export interface ModelSurroundings {
  readonly config: RunConfig;
  readonly host: PluginHost;
  readonly secrets: Secrets;
  /** Where a config value came from, for messages; null for a built-in. */
  readonly sourceOf: (path: string) => string | null;
  /** Will any model be called? */
  readonly asksModel: boolean;
  /** Default: it is thrown. */
  readonly onNoKey?: OnNoKey | undefined;
  readonly signal: AbortSignal;
}

/** What a role says of its calls, the run's values where it has none of its own. */
export interface CallSettings {
  /** null: nobody named one. */
  readonly model: string | null;
  readonly client: ClientConfig;
  readonly sampling: Sampling;
}

/** The model that answers a role's calls, and the way to it. */
export interface PlannedModel {
  /** Empty when nobody named one. */
  readonly model: string;
  readonly provider: Provider;
  readonly dialect: LoadedPlugin | null;
  /** false: calls would be made, in no dialect that the provider speaks. */
  readonly fits: boolean;
  readonly client: Client;
  readonly price: Price | null;
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/**
 * Where the calls of a harness go: to its provider or engine, or nowhere where none will be made.
 * @throws VfError provider/no_key (unless `onNoKey` takes it), config/invalid, plugin/*, misfit/*
 */
export function planModel(
  harness: PlannedHarness,
  settings: CallSettings,
  around: ModelSurroundings,
): Promise<PlannedModel> {
  const asks = around.asksModel && (harness.capabilities.callsModel ?? true);
  return asks ? askedModel(harness, settings, around) : noModel(harness, settings, around);
}

async function askedModel(
  harness: PlannedHarness,
  { model: named, client: settings, sampling }: CallSettings,
  around: ModelSurroundings,
): Promise<PlannedModel> {
  const { config, secrets, onNoKey } = around;
  checkEngineNamed(settings);
  const from = chosenBy(around);
  const provider = chooseProvider(settings, config.providers, secrets, from, onNoKey);
  const dialect = await loadDialect(harness, settings, provider, around);
  const model = named ?? '';
  const client =
    model === '' ? noClient : await roleClient({ model, settings, provider, sampling }, around);
  const fits = dialect !== null;
  const problems = [
    // Wrong settings do not say what it speaks.
    ...(fits || harness.speaks.length === 0 ? [] : [dialectMisfit(harness, provider)]),
    ...(await samplingProblems(settings, sampling)),
  ];
  const found = await findPrice(model, provider.baseUrl, config);
  const isListed = found !== null && found.source !== 'config';
  const notes = [
    ...(isListed ? [`price of ${model}: ${found.source}`] : []),
    ...(client.notes ?? []),
  ];
  const price = found?.price ?? null;
  return { model, provider, dialect, fits, client, price, problems, notes };
}

async function noModel(
  harness: PlannedHarness,
  { model: named, client: settings }: CallSettings,
  around: ModelSurroundings,
): Promise<PlannedModel> {
  return {
    // Scoring again asks none, and tells of the one that was.
    model: around.asksModel ? nobody.id : (named ?? nobody.id),
    provider: nobody,
    dialect: await loadDialect(harness, settings, nobody, around),
    fits: true,
    client: noClient,
    price: null,
    problems: [],
    notes: [],
  };
}

/** The harness's favourite among the dialects that will be answered. */
async function loadDialect(
  { speaks }: PlannedHarness,
  settings: ClientConfig,
  provider: Provider,
  { host, signal }: ModelSurroundings,
): Promise<LoadedPlugin | null> {
  // An engine takes token ids from whatever the agent speaks.
  const takesAny = settings.type === 'train' && settings.dialects === null;
  const id = speaks.find((one) => takesAny || provider.dialects.includes(one));
  return id === undefined ? null : host.load('dialect', id, signal);
}

/** Where the calls of a harness go that makes none. */
const nobody: Provider = { id: 'none', baseUrl: '', apiKeyVar: null, dialects: [], headers: {} };

const noClient: Client = {
  send: () => Promise.reject(new SendFailed('unreachable', 'this harness calls no model')),
};

function chosenBy({ config, sourceOf }: ModelSurroundings): string | null {
  if (config.client.provider === null) return null;
  const source = sourceOf('client.provider');
  if (source === null) return 'client.provider';
  return source.startsWith('--') ? source : `client.provider in ${source}`;
}

function dialectMisfit({ plan, speaks }: PlannedHarness, provider: Provider): Problem {
  return {
    message: `harness ${plan.id} speaks ${speaks.join(', ')}; provider ${provider.id} speaks ${provider.dialects.join(', ')}`,
    fix: '--provider openrouter, or another --harness',
  };
}
