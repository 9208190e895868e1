import type { AnyHookFunction, AnyTasksetSpec, Score } from '@vf/core';
import { VfError, nearest } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { PlannedMetric, PlannedReward, PlannedStop } from '@vf/rollout';
import type { HookConfig, RunConfig } from '../config/run-config.ts';
import { importFunction } from './import-function.ts';

export interface PlannedHooks {
  readonly rewards: readonly PlannedReward[];
  readonly metrics: readonly PlannedMetric[];
  readonly stops: readonly PlannedStop[];
  readonly groupWeights: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
}

/** The taskset's hooks, switched, weighed and added to as the config says. */
export async function planHooks(spec: AnyTasksetSpec, config: RunConfig): Promise<PlannedHooks> {
  const groupRewards = Object.keys(spec.groupRewards ?? {});
  const rewards = await applied('rewards', rewardsOf(spec), config.rewards, groupRewards);
  const metrics = await applied('metrics', functionsOf(spec.metrics), config.metrics, []);
  const stops = await applied('stops', functionsOf(spec.stops), config.stops, []);
  const weight = (name: string, own: number): number => config.rewards[name]?.weight ?? own;
  return {
    rewards: rewards.hooks.map(({ name, fn, weight: own = 1, priority = 0 }) => ({
      name,
      weight: weight(name, own),
      priority,
      score: fn,
    })),
    metrics: metrics.hooks.map(({ name, fn }) => ({ name, score: fn })),
    stops: stops.hooks.map(({ name, fn }) => ({ name, stops: fn })),
    groupWeights: Object.fromEntries(groupRewards.map((name) => [name, weight(name, 1)])),
    problems: [...rewards.problems, ...metrics.problems, ...stops.problems],
  };
}

interface NamedHook<Result> {
  readonly name: string;
  readonly fn: AnyHookFunction<Result>;
  readonly weight?: number;
  readonly priority?: number;
}

function rewardsOf(spec: AnyTasksetSpec): NamedHook<Score>[] {
  return Object.entries(spec.rewards ?? {}).flatMap(([name, reward]) => {
    if (typeof reward === 'function') return { name, fn: reward };
    // `tasksetProblems` tells of it.
    if (typeof reward !== 'object' || reward === null) return [];
    const { score, weight, priority } = reward;
    return {
      name,
      fn: score,
      ...(weight === undefined ? {} : { weight }),
      ...(priority === undefined ? {} : { priority }),
    };
  });
}

function functionsOf<Result>(
  hooks: Readonly<Record<string, AnyHookFunction<Result>>> | undefined,
): NamedHook<Result>[] {
  return Object.entries(hooks ?? {}).map(([name, fn]) => ({ name, fn }));
}

async function applied<Result>(
  table: 'rewards' | 'metrics' | 'stops',
  own: readonly NamedHook<Result>[],
  config: Readonly<Record<string, HookConfig>>,
  others: readonly string[],
): Promise<{
  readonly hooks: readonly NamedHook<Result>[];
  readonly problems: readonly Problem[];
}> {
  const known = [...own.map(({ name }) => name), ...others];
  const problems: Problem[] = [];
  const added: NamedHook<Result>[] = [];
  for (const [name, { fn }] of Object.entries(config)) {
    if (fn === undefined && !known.includes(name)) problems.push(unknownHook(table, name, known));
    if (fn === undefined) continue;
    try {
      added.push({ name, fn: await importFunction(fn) });
    } catch (error) {
      const message = VfError.isInstance(error) ? error.message : String(error);
      problems.push({ path: `${table}.${name}.fn`, message });
    }
  }
  const replaced = new Set(added.map(({ name }) => name));
  const kept = own.filter(({ name }) => !replaced.has(name));
  return {
    hooks: [...kept, ...added].filter(({ name }) => config[name]?.enabled !== false),
    problems,
  };
}

function unknownHook(table: string, name: string, known: readonly string[]): Problem {
  const close = nearest(name, known);
  return {
    path: `${table}.${name}`,
    message: `the taskset has none of this name; it has ${known.join(', ') || 'none'}`,
    ...(close === null
      ? { fix: `${table}.${name}.fn = "./file.ts#export" adds one` }
      : { nearest: close }),
  };
}
