import type { Client, Dialect, RoleSpec, Runtime } from '@vf/core';
import { SendFailed } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import type { RetryPolicy, RolePlan, StageLimits } from '@vf/rollout';
import { parseOptions } from '../config/plugin-options.ts';
import type { RoleConfig, RunConfig, TimeoutConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { planHarness } from './harness.ts';
import { chooseProvider } from './providers.ts';
import type { OnNoKey, Provider } from './providers.ts';
import { samplingProblems } from './engine-sampling.ts';
import { checkEngineNamed, roleClient } from './role-client.ts';
import { findPrice } from '../prices/find-price.ts';
import type { UsedPlugin } from './used-plugin.ts';

export interface RoleSurroundings {
  readonly config: RunConfig;
  readonly host: PluginHost;
  readonly secrets: Secrets;
  /** Where a config value came from, for messages; null for a built-in. */
  readonly sourceOf: (path: string) => string | null;
  /** Does any task name an image? Decides the default runtime. */
  readonly wantsImage: boolean;
  /** Will any model be called? */
  readonly asksModel: boolean;
  /** Default: it is thrown. */
  readonly onNoKey?: OnNoKey | undefined;
  readonly signal: AbortSignal;
}

export interface PlannedRole {
  /** null when no dialect fits: the problems say so. */
  readonly plan: RolePlan | null;
  readonly dialect: Dialect | null;
  readonly provider: Provider;
  readonly plugins: readonly UsedPlugin[];
  readonly problems: readonly Problem[];
  /** What was decided without being asked for, and what its client cannot do. */
  readonly notes: readonly string[];
  readonly client: Client;
}

/** One role with the run's values where it has none of its own. */
export async function planRole(
  name: string,
  spec: RoleSpec,
  own: RoleConfig,
  around: RoleSurroundings,
): Promise<PlannedRole> {
  const { config, host, secrets, onNoKey, signal } = around;
  const harnessTable = own.harness ?? config.harness;
  const harness = await host.load('harness', harnessTable.id, signal);
  const planned = planHarness(harness, harnessTable, secrets);
  const runtimeTable = own.runtime ?? config.runtime;
  const runtime = await host.load(
    'runtime',
    runtimeTable.id ?? (around.wantsImage ? 'docker' : 'subprocess'),
    signal,
  );
  const runtimePlugin = runtime.value as Runtime;

  const parsedRuntime = parseOptions(
    runtimePlugin.config,
    runtimeTable.options,
    `runtime ${runtime.id}`,
    'runtime',
  );

  const { speaks } = planned;
  const asks = around.asksModel && (planned.capabilities.callsModel ?? true);
  const clientConfig = own.client ?? config.client;
  if (asks) checkEngineNamed(clientConfig);
  const provider = asks
    ? chooseProvider(clientConfig, config.providers, secrets, chosenBy(around), onNoKey)
    : nobody;
  // An engine takes token ids from whatever the agent speaks.
  const isTrained = clientConfig.type === 'train' && clientConfig.dialects === null;
  const dialectId = speaks.find((id) => isTrained || provider.dialects.includes(id)) ?? null;
  const dialect = dialectId === null ? null : await host.load('dialect', dialectId, signal);

  const loadChat = async (): Promise<Dialect> => {
    const { value } = await host.load('dialect', 'chat-completions', signal);
    return value as Dialect;
  };
  const named = own.model ?? config.model;
  const model = asks ? (named ?? '') : around.asksModel ? nobody.id : (named ?? nobody.id);
  const sampling = { ...config.sampling, ...own.sampling };
  const client =
    asks && model !== ''
      ? await roleClient(clientConfig, provider, model, sampling, secrets, loadChat, onNoKey)
      : noClient;
  const isMisfit = asks && dialectId === null;
  const problems = [
    ...planned.problems,
    ...parsedRuntime.problems,
    // Wrong settings do not say what it speaks.
    ...(isMisfit && speaks.length > 0 ? [dialectMisfit(planned.plan.id, speaks, provider)] : []),
    ...(asks ? await samplingProblems(clientConfig, sampling) : []),
    ...(model === '' ? [{ message: `role ${name} has no model`, fix: '-m MODEL' }] : []),
  ];
  const found = asks ? await findPrice(model, provider.baseUrl, config) : null;
  const plan: RolePlan | null = isMisfit
    ? null
    : {
        name,
        trainable: spec.trainable ?? true,
        scored: spec.scored ?? true,
        harness: planned.plan,
        dialect: dialectId ?? '',
        runtime: { id: runtime.id, plugin: runtimePlugin, config: parsedRuntime.value },
        model,
        client,
        sampling,
        // A group of attempts that all sample the same teaches nothing.
        seedEach: clientConfig.type === 'train',
        price: found?.price ?? null,
        limits: { ...config.limits, ...own.limits },
        timeouts: stageLimits(own.timeout ?? config.timeout),
        timeoutMultiplier: (own.timeout ?? config.timeout).multiplier,
        retries: retryPolicy(own.retries ?? config.retries),
        keepFailedBoxes: runtimeTable.keep === 'failed',
      };
  const plugins = [harness, runtime, ...(dialect === null ? [] : [dialect])];
  return {
    plan,
    dialect: dialect === null ? null : (dialect.value as Dialect),
    provider,
    plugins,
    problems,
    notes: [
      ...(found === null || found.source === 'config'
        ? []
        : [`price of ${model}: ${found.source}`]),
      ...(client.notes ?? []),
    ],
    client,
  };
}

/** Where the calls of a harness go that makes none. */
const nobody: Provider = { id: 'none', baseUrl: '', apiKeyVar: null, dialects: [], headers: {} };

const noClient: Client = {
  send: () => Promise.reject(new SendFailed('unreachable', 'this harness calls no model')),
};

function chosenBy({ config, sourceOf }: RoleSurroundings): string | null {
  if (config.client.provider === null) return null;
  const source = sourceOf('client.provider');
  if (source === null) return 'client.provider';
  return source.startsWith('--') ? source : `client.provider in ${source}`;
}

function dialectMisfit(harness: string, speaks: readonly string[], provider: Provider): Problem {
  return {
    message: `harness ${harness} speaks ${speaks.join(', ')}; provider ${provider.id} speaks ${provider.dialects.join(', ')}`,
    fix: '--provider openrouter, or another --harness',
  };
}

function stageLimits(timeout: TimeoutConfig): StageLimits {
  const stretched = Object.entries({
    boot: timeout.boot,
    setup: timeout.setup,
    agent: timeout.rollout,
    finalize: timeout.finalize,
    scoring: timeout.scoring,
  }).flatMap(([stage, ms]) => (ms === null ? [] : [[stage, ms * timeout.multiplier] as const]));
  return Object.fromEntries(stretched);
}

const baseDelayMs = 1_000;
const maxDelayMs = 60_000;

function retryPolicy(retries: RunConfig['retries']): RetryPolicy {
  const rules = retries.rules.map(({ code, statusCode, maxRetries }) => ({
    maxRetries,
    ...(code === undefined ? {} : { code }),
    ...(statusCode === undefined ? {} : { statusCodes: statusCode }),
  }));
  return { maxRetries: retries.maxRetries, rules, baseDelayMs, maxDelayMs };
}
