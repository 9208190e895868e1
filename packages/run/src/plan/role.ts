import type { Client, Dialect, Harness, Price, RoleSpec, Runtime } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import { relayClient } from '@vf/interception';
import type { PluginHost } from '@vf/plugin-host';
import type { RetryPolicy, RolePlan, StageLimits } from '@vf/rollout';
import { parseOptions } from '../config/plugin-options.ts';
import type { HarnessTable, RoleConfig, RunConfig, TimeoutConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { chooseProvider } from './providers.ts';
import type { Provider } from './providers.ts';
import type { UsedPlugin } from './run-plan.ts';

export interface RoleSurroundings {
  readonly config: RunConfig;
  readonly host: PluginHost;
  readonly secrets: Secrets;
  /** Where a config value came from, for messages; null for a built-in. */
  readonly sourceOf: (path: string) => string | null;
  /** Does any task name an image? Decides the default runtime. */
  readonly wantsImage: boolean;
  readonly signal: AbortSignal;
}

export interface PlannedRole {
  /** null when no dialect fits: the problems say so. */
  readonly plan: RolePlan | null;
  readonly dialect: Dialect | null;
  readonly provider: Provider;
  readonly plugins: readonly UsedPlugin[];
  readonly problems: readonly Problem[];
  readonly client: Client;
}

/** One role with the run's values where it has none of its own. */
export async function planRole(
  name: string,
  spec: RoleSpec,
  own: RoleConfig,
  around: RoleSurroundings,
): Promise<PlannedRole> {
  const { config, host, secrets, signal } = around;
  const harnessTable = own.harness ?? config.harness;
  const harness = await host.load('harness', harnessTable.id, signal);
  const harnessSpec = (harness.value as Harness).spec;
  const runtimeTable = own.runtime ?? config.runtime;
  const runtime = await host.load(
    'runtime',
    runtimeTable.id ?? (around.wantsImage ? 'docker' : 'subprocess'),
    signal,
  );
  const runtimePlugin = runtime.value as Runtime;

  const harnessOptions = {
    ...harnessTable.options,
    ...(harnessTable.version === null ? {} : { version: harnessTable.version }),
  };
  const parsedHarness = parseOptions(
    harnessSpec.config,
    harnessOptions,
    `harness ${harness.id}`,
    'harness',
  );
  const parsedRuntime = parseOptions(
    runtimePlugin.config,
    runtimeTable.options,
    `runtime ${runtime.id}`,
    'runtime',
  );

  const settings = { config: parsedHarness.value, env: harnessTable.env };
  const isSound = parsedHarness.problems.length === 0;
  const harnessName = (isSound ? harnessSpec.name?.(settings.config) : null) ?? harness.id;
  const capabilities =
    (isSound ? harnessSpec.capabilitiesOf?.(settings) : null) ?? harnessSpec.capabilities;

  const clientConfig = own.client ?? config.client;
  const provider = chooseProvider(clientConfig, config.providers, secrets, chosenBy(around));
  const speaks: readonly string[] =
    typeof harnessSpec.speaks === 'function'
      ? harnessSpec.speaks(parsedHarness.value)
      : harnessSpec.speaks;
  const dialectId = speaks.find((id) => provider.dialects.includes(id)) ?? null;
  const dialect = dialectId === null ? null : await host.load('dialect', dialectId, signal);

  const model = own.model ?? config.model ?? '';
  const client = relayClient({
    baseUrl: provider.baseUrl,
    key: provider.apiKeyVar === null ? null : (secrets.take(provider.apiKeyVar) ?? null),
    headers: { ...provider.headers, ...headersFromEnv(clientConfig.headersFromEnv, secrets) },
  });
  const problems = [
    ...parsedHarness.problems,
    ...(isSound ? (harnessSpec.check?.(settings) ?? []) : []),
    ...parsedRuntime.problems,
    ...(dialectId === null ? [dialectMisfit(harnessName, speaks, provider)] : []),
    ...(model === '' ? [{ message: `role ${name} has no model`, fix: '-m MODEL' }] : []),
  ];
  const plan: RolePlan | null =
    dialectId === null
      ? null
      : {
          name,
          trainable: spec.trainable ?? true,
          scored: spec.scored ?? true,
          harness: {
            id: harnessName,
            version: harnessSpec.version?.(parsedHarness.value) ?? null,
            spec: { ...harnessSpec, capabilities },
            config: parsedHarness.value,
            env: harnessEnv(harnessTable, secrets),
          },
          dialect: dialectId,
          runtime: { id: runtime.id, plugin: runtimePlugin, config: parsedRuntime.value },
          model,
          client,
          sampling: { ...config.sampling, ...own.sampling },
          price: priceOf(model, config),
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
    client,
  };
}

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

function priceOf(model: string, config: RunConfig): Price | null {
  return config.prices[model] ?? null;
}

function harnessEnv(table: HarnessTable, secrets: Secrets): Record<string, string> {
  const forwarded = table.forwardEnv.flatMap((name) => {
    const value = secrets.take(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...table.env, ...Object.fromEntries(forwarded) };
}

function headersFromEnv(
  names: Readonly<Record<string, string>>,
  secrets: Secrets,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([header, variable]) => [header, secrets.take(variable) ?? '']),
  );
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
