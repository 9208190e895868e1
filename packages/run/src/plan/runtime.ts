import type { Runtime } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import type { RolePlan, TaskInstance } from '@vf/rollout';
import { parseOptions } from '../config/plugin-options.ts';
import type { RuntimeTable } from '../config/run-config.ts';
import type { UsedPlugin } from './used-plugin.ts';
import { wantsImage } from './wants-image.ts';

export interface PlannedRuntime {
  readonly plan: RolePlan['runtime'];
  readonly plugin: UsedPlugin;
  /** What is wrong with its options. */
  readonly problems: readonly Problem[];
}

/**
 * The runtime that the table names, else the one that the tasks want, with its options checked.
 * @throws VfError plugin/*
 */
export async function planRuntime(
  { id, options }: Pick<RuntimeTable, 'id' | 'options'>,
  tasks: readonly TaskInstance[],
  host: PluginHost,
  signal: AbortSignal,
): Promise<PlannedRuntime> {
  const wanted = id ?? (tasks.some(wantsImage) ? 'docker' : 'subprocess');
  const plugin = await host.load('runtime', wanted, signal);
  const runtime = plugin.value as Runtime;
  const { value, problems } = parseOptions(
    runtime.config,
    options,
    `runtime ${plugin.id}`,
    'runtime',
  );
  return { plan: { id: plugin.id, plugin: runtime, config: value }, plugin, problems };
}
