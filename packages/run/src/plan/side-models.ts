import type { AnyTasksetSpec, Client, Dialect, Price, Sampling, SideModel } from '@vf/core';
import { VfError, nearest } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { relayClient } from '@vf/interception';
import type { PluginHost } from '@vf/plugin-host';
import type { ClientConfig, RunConfig } from '../config/run-config.ts';
import { toClient } from '../config/to-run-config.ts';
import type { Secrets } from '../secrets.ts';
import type { PlannedHooks } from './hooks.ts';
import { chooseProvider, addressOf } from './providers.ts';
import type { OnNoKey, Provider } from './providers.ts';
import { findPrice } from '../prices/find-price.ts';
import type { UsedPlugin } from './used-plugin.ts';

/** Where a side model is asked. */
export interface SideConnection {
  readonly provider: Provider;
  readonly dialect: Dialect;
  readonly settings: ClientConfig;
  readonly client: Client;
}

/** A judge or simulated user with what the config says about it. */
export interface PlannedSideModel {
  readonly declared: SideModel;
  readonly model: string;
  readonly prompt: string;
  readonly sampling: Sampling;
  readonly price: Price | null;
  /** An error where scoring again may do without: it is thrown when somebody is asked after all. */
  readonly connection: SideConnection | VfError;
}

export interface SideSurroundings {
  readonly config: RunConfig;
  readonly host: PluginHost;
  readonly secrets: Secrets;
  /** false: all answers may be there already, so a provider that cannot be asked is no fault yet. */
  readonly asksModel: boolean;
  /** Default: it is thrown. */
  readonly onNoKey?: OnNoKey | undefined;
  readonly signal: AbortSignal;
}

export interface PlannedSideModels {
  readonly sideModels: readonly PlannedSideModel[];
  readonly plugins: readonly UsedPlugin[];
}

/** The judges and users of the hooks that are in use, and those that the taskset names; each once. */
export function sideModelsOf(spec: AnyTasksetSpec, hooks: PlannedHooks): readonly SideModel[] {
  const functions = [
    ...hooks.rewards.map(({ score }) => score),
    ...hooks.metrics.map(({ score }) => score),
    spec.next,
  ];
  const attached = functions.flatMap((hook) => judgesOf(hook));
  const named = (spec.judges ?? []).flatMap((one) => ('judges' in one ? one.judges : [one]));
  return [...new Set([...attached, ...named])];
}

/** What `judge()` and `simulatedUser()` attach to the hook that they make. */
export function judgesOf(hook: unknown): readonly SideModel[] {
  if (typeof hook !== 'function' || !('judges' in hook)) return [];
  return Array.isArray(hook.judges) ? (hook.judges as readonly SideModel[]) : [];
}

/** What is wrong with `judges.*` of the config, or with what the taskset declares. */
export function sideModelProblems(
  declared: readonly SideModel[],
  judges: RunConfig['judges'],
): Problem[] {
  const names = declared.map(({ name }) => name);
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  return [
    ...twice.map((name) => ({
      path: `judges.${name}`,
      message: 'two judges or users of the taskset have this name',
      fix: 'give one of them another name',
    })),
    ...Object.keys(judges).flatMap((name) => unknownName(name, names)),
    ...declared.flatMap((one) => problemsOf(one, judges[one.name])),
  ];
}

function unknownName(name: string, known: readonly string[]): Problem[] {
  if (known.includes(name)) return [];
  const close = nearest(name, known);
  const message = `the taskset has no judge or user of this name; it has ${known.join(', ') || 'none'}`;
  return [{ path: `judges.${name}`, message, ...(close === null ? {} : { nearest: close }) }];
}

function problemsOf(
  { name, kind, model, checkPrompt }: SideModel,
  own: RunConfig['judges'][string] = {},
): Problem[] {
  const wrong = own.prompt === undefined ? null : (checkPrompt?.(own.prompt) ?? null);
  return [
    ...((own.model ?? model) === undefined
      ? [
          {
            path: `judges.${name}.model`,
            message: `${kind} ${name} has no model`,
            fix: `--judges.${name}.model MODEL`,
          },
        ]
      : []),
    ...(wrong === null ? [] : [{ path: `judges.${name}.prompt`, message: wrong }]),
  ];
}

/** @throws VfError provider/no_key, config/invalid, plugin/unknown for one that cannot be asked */
export async function planSideModels(
  declared: readonly SideModel[],
  around: SideSurroundings,
): Promise<PlannedSideModels> {
  const plugins: UsedPlugin[] = [];
  const sideModels: PlannedSideModel[] = [];
  for (const one of declared) {
    const own = around.config.judges[one.name] ?? {};
    const model = own.model ?? one.model ?? '';
    const connection = await connectionOf(one, around, plugins);
    const baseUrl = VfError.isInstance(connection) ? '' : connection.provider.baseUrl;
    sideModels.push({
      declared: one,
      model,
      prompt: own.prompt ?? one.prompt,
      sampling: one.sampling ?? {},
      price: (await findPrice(model, baseUrl, around.config))?.price ?? null,
      connection,
    });
  }
  return { sideModels, plugins };
}

async function connectionOf(
  declared: SideModel,
  around: SideSurroundings,
  plugins: UsedPlugin[],
): Promise<SideConnection | VfError> {
  try {
    return await connect(declared, around, plugins);
  } catch (error) {
    if (around.asksModel || !VfError.isInstance(error)) throw error;
    return error;
  }
}

async function connect(
  { name, client: own }: SideModel,
  { config, host, secrets, onNoKey, signal }: SideSurroundings,
  plugins: UsedPlugin[],
): Promise<SideConnection> {
  const configured = config.judges[name]?.client;
  const client = configured ?? (own === undefined ? config.client : clientConfig(own));
  const chosenBy = configured === undefined ? `${name} of the taskset` : `judges.${name}.client`;
  const provider = chooseProvider(client, config.providers, secrets, chosenBy, onNoKey);
  const dialect = await host.load('dialect', provider.dialects[0] ?? '', signal);
  plugins.push(dialect);
  return {
    provider,
    dialect: dialect.value as Dialect,
    settings: client,
    client: relayClient(addressOf(provider, client, secrets, onNoKey)),
  };
}

function clientConfig(own: NonNullable<SideModel['client']>): ClientConfig {
  return {
    ...toClient({}),
    provider: own.provider ?? null,
    baseUrl: own.baseUrl ?? null,
    apiKeyVar: own.apiKeyVar ?? null,
    dialects: own.dialects ?? null,
  };
}
