import { resolve } from 'node:path';
import type { RolloutLimits, Sampling } from '@vf/core';
import type {
  ClientConfig,
  HarnessTable,
  PluginTable,
  RoleConfig,
  RunConfig,
  RuntimeTable,
  TimeoutConfig,
} from './run-config.ts';
import { readRenderer } from './renderer-settings.ts';
import type { ClientInput, ConfigInput, RoleInput, SamplingInput } from './schema.ts';

const defaultHarness = 'null';

/** The checked config with built-in defaults, in the shape that the rest of vf reads. */
export function toRunConfig(input: ConfigInput, cwd: string): RunConfig {
  const { gate, budget, select, interception } = input;
  return {
    model: input.model ?? null,
    numExamples: input.num_examples ?? null,
    rolloutsPerExample: input.rollouts_per_example ?? 1,
    maxConcurrent: input.max_concurrent ?? 32,
    outputDir: resolve(cwd, input.output_dir ?? 'outputs'),
    runName: input.run ?? null,
    client: toClient(input.client ?? {}),
    select: {
      include: select?.include ?? [],
      exclude: select?.exclude ?? [],
      skip: select?.skip ?? 0,
      shuffle: select?.shuffle ?? false,
      seed: select?.seed ?? 0,
    },
    taskset: input.taskset === undefined ? null : toPlugin(input.taskset),
    harness: toHarness(input.harness ?? {}),
    runtime: toRuntime(input.runtime ?? {}),
    environment: toPlugin(input.environment ?? { id: 'single' }),
    roles: Object.fromEntries(
      Object.entries(input.roles ?? {}).map(([name, role]) => [name, toRole(role)]),
    ),
    sampling: toSampling(input.sampling ?? {}),
    limits: toLimits(input.limits ?? {}),
    timeout: toTimeout(input.timeout ?? {}),
    retries: toRetries(input.retries ?? {}),
    budget: {
      cost: budget?.cost ?? null,
      tokens: budget?.tokens ?? null,
      time: budget?.time ?? null,
    },
    gate: {
      stopAfter: gate?.stop_after ?? 10,
      maxUnscored: toMaxUnscored(gate?.max_unscored ?? 0),
      minReward: gate?.min_reward ?? null,
    },
    prices: mapValues(input.prices, ({ long, ...price }) => ({
      ...toRates(price),
      ...(long === undefined ? {} : { long: { above: long.above, ...toRates(long) } }),
    })),
    providers: mapValues(input.providers, (entry) => ({
      baseUrl: entry.base_url,
      apiKeyVar: entry.api_key_var ?? null,
      dialects: entry.dialects,
      ...(entry.headers === undefined ? {} : { headers: entry.headers }),
    })),
    rewards: mapValues(input.rewards, defined),
    metrics: mapValues(input.metrics, defined),
    stops: mapValues(input.stops, defined),
    judges: mapValues(input.judges, ({ model, client, prompt }) => ({
      ...defined({ model, prompt }),
      ...(client === undefined ? {} : { client: toClient(client) }),
    })),
    interception: {
      multiplex: interception?.multiplex ?? 32,
      earlyHead: interception?.early_head ?? 20_000,
      clientGoneGrace: interception?.client_gone_grace ?? 2_000,
    },
    serve: { workers: input.serve?.workers ?? 1 },
    shutdownGrace: input.shutdown_grace ?? 30_000,
  };
}

function toRates({
  input,
  output,
  cached,
  cache_write: cacheWrite,
}: Omit<NonNullable<ConfigInput['prices']>[string], 'long'>) {
  return { input, output, ...defined({ cached, cacheWrite }) };
}

/** A `client` table with defaults for what it leaves out. */
export function toClient(client: ClientInput): ClientConfig {
  const renderer = readRenderer(client.renderer);
  return {
    provider: client.provider ?? null,
    type: client.type ?? 'eval',
    baseUrl: client.base_url ?? null,
    apiKeyVar: client.api_key_var ?? null,
    dialects: client.dialects ?? null,
    headers: client.headers ?? {},
    headersFromEnv: client.headers_from_env ?? {},
    train: {
      engine: client.engine ?? null,
      replicas: client.replicas ?? [],
      renderer: renderer.family,
      rendererOptions: renderer.options,
      tokenizer: client.tokenizer ?? null,
      logprobs: client.logprobs ?? 'raw',
      otherTemplate: client.other_template ?? false,
    },
  };
}

function toPlugin({ id, ...options }: { id: string; [key: string]: unknown }): PluginTable {
  return { id, options };
}

function toHarness({
  id,
  version,
  env,
  forward_env,
  ...options
}: NonNullable<ConfigInput['harness']>): HarnessTable {
  return {
    id: id ?? defaultHarness,
    version: version ?? null,
    env: env ?? {},
    forwardEnv: forward_env ?? [],
    options,
  };
}

function toRuntime({ id, keep, ...options }: NonNullable<ConfigInput['runtime']>): RuntimeTable {
  return { id: id ?? null, keep: keep ?? 'never', options };
}

function toRole(role: RoleInput): RoleConfig {
  const { model, client, harness, runtime, sampling, limits, timeout, retries } = role;
  return {
    ...(model === undefined ? {} : { model }),
    ...(client === undefined ? {} : { client: toClient(client) }),
    ...(harness === undefined ? {} : { harness: toHarness(harness) }),
    ...(runtime === undefined ? {} : { runtime: toRuntime(runtime) }),
    ...(sampling === undefined ? {} : { sampling: toSampling(sampling) }),
    ...(limits === undefined ? {} : { limits: toLimits(limits) }),
    ...(timeout === undefined ? {} : { timeout: toTimeout(timeout) }),
    ...(retries === undefined ? {} : { retries: toRetries(retries) }),
  };
}

/** Settings as people write them, in the shape that the rest of vf reads. */
export function toSampling(input: SamplingInput): Sampling {
  const {
    temperature,
    top_p,
    top_k,
    max_tokens,
    max_completion_tokens,
    stop,
    seed,
    reasoning_effort,
    ...rest
  } = input;
  const { frequency_penalty, presence_penalty, parallel_tool_calls, ...extra } = rest;
  return defined({
    temperature,
    topP: top_p,
    topK: top_k,
    maxOutputTokens: max_completion_tokens ?? max_tokens,
    stop: typeof stop === 'string' ? [stop] : stop,
    seed,
    reasoningEffort: reasoning_effort,
    frequencyPenalty: frequency_penalty,
    presencePenalty: presence_penalty,
    parallelToolCalls: parallel_tool_calls,
    extra: Object.keys(extra).length === 0 ? undefined : extra,
  });
}

function toLimits(limits: NonNullable<ConfigInput['limits']>): RolloutLimits {
  return defined({
    maxTurns: limits.max_turns,
    maxInputTokens: limits.max_input_tokens,
    maxOutputTokens: limits.max_output_tokens,
    maxTotalTokens: limits.max_total_tokens,
    maxCost: limits.max_cost,
  });
}

function toTimeout(timeout: NonNullable<ConfigInput['timeout']>): TimeoutConfig {
  const { boot, setup, rollout, finalize, scoring, multiplier } = timeout;
  return {
    boot: boot ?? null,
    setup: setup ?? null,
    rollout: rollout ?? null,
    finalize: finalize ?? null,
    scoring: scoring ?? null,
    multiplier: multiplier ?? 1,
  };
}

function toRetries({
  max_retries,
  rules,
}: NonNullable<ConfigInput['retries']>): RunConfig['retries'] {
  return {
    maxRetries: max_retries ?? 3,
    rules: (rules ?? []).map((rule) => ({
      maxRetries: rule.max_retries,
      ...defined({ code: rule.code, statusCode: rule.status_code }),
    })),
  };
}

function toMaxUnscored(value: number | string): RunConfig['gate']['maxUnscored'] {
  return typeof value === 'number' ? { count: value } : { share: Number.parseFloat(value) / 100 };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>> | undefined,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record ?? {}).map(([key, value]) => [key, map(value)]));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined | null> };

/** The object without its undefined and null fields. */
function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Defined<T>;
}
