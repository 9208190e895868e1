import type { Episode, Trace, Usage } from '@vf/core';
import { thrownAt, weightVersions } from '@vf/core/trace';
import type { LinePlace } from '../files/line-file.ts';
import type { IndexEntry } from '../index-entry.ts';
import { costOf } from './cost.ts';

/**
 * What the index says about an episode. Numbers over several traces: rewards and metrics are those of the
 * trace that the environment chose, else means over the trainable traces that have them; tokens, cost, turns
 * and retries are sums over all.
 */
export function indexEntryOf(episode: Episode, { offset, length }: LinePlace): IndexEntry {
  const { task, traces } = episode;
  const counted = countedOf(traces);
  const reward = episode.errors.length > 0 ? null : mean(counted.map((trace) => trace.reward));
  const usages = traces.flatMap(usagesOf);
  const name = task.data['name'];
  const versions = weightVersions(counted.flatMap((trace) => trace.calls));
  return {
    task: task.key,
    attempt: episode.attempt,
    offset,
    length,
    episode: episode.id,
    hash: task.hash,
    ...(typeof name === 'string' ? { name } : {}),
    ok: episode.ok,
    reward,
    rewards: means(counted, ({ rewards }) => mapValues(rewards, (record) => record?.score ?? null)),
    weights: weightsOf(counted),
    ...(versions.length === 0 ? {} : { modelWeights: versions }),
    metrics: means(counted, ({ metrics }) => metrics),
    stop: (counted[0] ?? traces[0])?.stopCondition ?? null,
    isTimeout: episode.isTimeout,
    isTruncated: traces.some((trace) => trace.isTruncated),
    error: reward === null ? errorOf(episode) : null,
    retries: sum(traces, ({ info }) => (typeof info['retries'] === 'number' ? info['retries'] : 0)),
    turns: sum(traces, ({ turns }) => turns),
    inputTokens: sum(usages, ({ inputTokens }) => inputTokens),
    cachedInputTokens: sum(usages, ({ cachedInputTokens }) => cachedInputTokens ?? 0),
    outputTokens: sum(usages, ({ outputTokens }) => outputTokens),
    cost: costOf(traces),
    ...timesOf(traces),
  };
}

function countedOf(traces: readonly Trace[]): readonly Trace[] {
  const chosen = traces.filter(({ info }) => info['chosen'] === true);
  return chosen.length > 0 ? chosen : traces.filter(({ agent }) => agent.trainable);
}

/** Judges and earlier tries cost as well. */
function usagesOf(trace: Trace): Usage[] {
  const calls = trace.calls.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  return [...calls, ...trace.extraUsage];
}

/** The environment's own error, else the last one of a trace that is not ok. */
function errorOf({ errors, traces }: Episode): IndexEntry['error'] {
  const error =
    errors.at(-1) ?? traces.find((trace) => !trace.ok && trace.errors.length > 0)?.errors.at(-1);
  if (error === undefined) return null;
  const { type, message, phase, stack } = error;
  const at = stack === undefined ? null : thrownAt(stack);
  return {
    code: type,
    message,
    ...(phase === undefined ? {} : { phase }),
    ...(at === null ? {} : { at }),
  };
}

function weightsOf(traces: readonly Trace[]): Record<string, number> {
  const scored = traces.flatMap(({ rewards }) =>
    Object.keys(rewards).flatMap((name) => {
      const record = rewards[name];
      return record == null ? [] : [[name, record.weight] as const];
    }),
  );
  return Object.fromEntries(scored);
}

function timesOf(
  traces: readonly Trace[],
): Pick<IndexEntry, 'start' | 'end' | 'agentSeconds' | 'modelSeconds'> {
  const timings = traces.map(({ timing }) => timing);
  return {
    start: timings.length === 0 ? 0 : Math.min(...timings.map(({ start }) => start)),
    end: Math.max(0, ...timings.map(endOf)),
    agentSeconds: sum(timings, ({ agent }) => (agent === undefined ? 0 : agent.end - agent.start)),
    modelSeconds: sum(timings, ({ agent }) => agent?.model ?? 0),
  };
}

/** Of the last stage that ended. */
function endOf({ start, boot, setup, agent, finalize, scoring }: Trace['timing']): number {
  return Math.max(
    start,
    boot?.end ?? 0,
    setup?.end ?? 0,
    agent?.end ?? 0,
    finalize?.end ?? 0,
    scoring?.end ?? 0,
  );
}

function means(
  traces: readonly Trace[],
  valuesOf: (trace: Trace) => Readonly<Record<string, number | null>>,
): Record<string, number | null> {
  const all = traces.map(valuesOf);
  if (all.length === 1 && all[0] !== undefined) return { ...all[0] };
  const names = new Set(all.flatMap((values) => Object.keys(values)));
  return Object.fromEntries(
    [...names].map((name) => [name, mean(all.map((values) => values[name] ?? null))]),
  );
}

function mapValues<T, R>(
  values: Readonly<Record<string, T>>,
  map: (value: T) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

/** Of the numbers among them; null when there is none. */
function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : sum(known, (value) => value) / known.length;
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
