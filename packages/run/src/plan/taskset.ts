import { tasksetProblems } from '@vf/core';
import type { AnyTasksetSpec, Taskset } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import type { TaskInstance } from '@vf/rollout';
import { parseOptions } from '../config/plugin-options.ts';
import type { RunConfig } from '../config/run-config.ts';
import { loadTasks } from '../tasks/load-tasks.ts';
import type { UsedPlugin } from './used-plugin.ts';

export interface LoadedTaskset {
  readonly name: string;
  readonly spec: AnyTasksetSpec;
  readonly config: Readonly<Record<string, unknown>>;
  /** What is wrong with it, and with its options. */
  readonly problems: readonly Problem[];
  readonly plugins: readonly UsedPlugin[];
}

/**
 * The taskset that the config names, its options checked.
 * @throws VfError usage/invalid when none is named, plugin/*
 */
export async function loadTaskset(
  config: RunConfig,
  host: PluginHost,
  signal: AbortSignal,
): Promise<LoadedTaskset> {
  if (config.taskset === null) {
    throw new VfError('usage/invalid', 'no taskset is named', {
      hint: 'vf eval TASKSET, or [taskset] id in the config; vf plugins list shows what is installed',
    });
  }
  const plugin = await host.load('taskset', config.taskset.id, signal);
  const { spec } = plugin.value as Taskset;
  const { options } = config.taskset;
  const parsed = parseOptions(spec.config, options, `taskset ${plugin.id}`, 'taskset');
  return {
    name: spec.name ?? plugin.id,
    spec,
    config: parsed.value,
    problems: [...tasksetProblems(spec, plugin.id), ...parsed.problems],
    plugins: [plugin],
  };
}

/** A taskset without end cannot be played whole. */
export function unboundedTaskset({ spec }: LoadedTaskset, config: RunConfig): Problem[] {
  if (spec.infinite !== true || config.numExamples !== null) return [];
  return [
    {
      path: 'num_examples',
      message: 'the taskset never ends, so a bound is needed',
      fix: '-n 100',
    },
  ];
}

/**
 * The tasks that the config selects; with `keys` of those no others.
 * @throws VfError taskset/*; usage/invalid when none is left, with each key of the config that may have left none
 */
export async function selectTasks(
  taskset: LoadedTaskset,
  { select, numExamples: limit }: RunConfig,
  keys: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<TaskInstance[]> {
  const only = keys === undefined ? {} : { keys };
  const tasks = await loadTasks(taskset, { ...select, limit, ...only }, signal);
  if (tasks.length > 0) return tasks;
  throw new VfError('usage/invalid', `taskset ${taskset.name} gives no task`, {
    problems: nothingSelected(select),
  });
}

function nothingSelected({ include, exclude, skip }: RunConfig['select']): Problem[] {
  const fix = 'vf tasks TASKSET lists keys and names';
  const problems = [
    ...(include.length === 0
      ? []
      : [{ path: 'select.include', message: `${include.join(', ')} selects none`, fix }]),
    ...(exclude.length === 0
      ? []
      : [{ path: 'select.exclude', message: `${exclude.join(', ')} is left out`, fix }]),
    ...(skip === 0 ? [] : [{ path: 'select.skip', message: `${skip} are skipped` }]),
  ];
  return problems.length === 0 ? [{ message: 'it has no rows; see its load()' }] : problems;
}
