import { tasksetProblems } from '@vf/core';
import type { Environment, PluginKind, Runtime, Taskset } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { LoadedPlugin } from '@vf/plugin-host';
import { parseOptions } from '../config/plugin-options.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { planHarness } from './harness.ts';
import { planHooks } from './hooks.ts';

/** What is wrong with the settings of a plugin; of a taskset, with what the config says of its hooks too. */
export async function optionProblems(
  { kind, path }: { readonly kind: PluginKind; readonly path: string },
  { id, value }: LoadedPlugin,
  config: RunConfig,
  secrets: Secrets,
): Promise<readonly Problem[]> {
  const who = `${kind} ${id}`;
  const role = path.startsWith('roles.') ? (config.roles[path.split('.')[1] ?? ''] ?? {}) : config;
  if (kind === 'taskset') {
    const { spec } = value as Taskset;
    const { problems } = parseOptions(spec.config, config.taskset?.options ?? {}, who, kind);
    const hooks = await planHooks(spec, config);
    return [...tasksetProblems(spec, id), ...problems, ...hooks.problems];
  }
  if (kind === 'environment') {
    const { spec } = value as Environment;
    return parseOptions(spec.config, config.environment.options, who, kind).problems;
  }
  if (kind === 'harness')
    return planHarness({ id, value }, role.harness ?? config.harness, secrets).problems;
  if (kind !== 'runtime') return [];
  const { options } = role.runtime ?? config.runtime;
  return parseOptions((value as Runtime).config, options, who, kind).problems;
}
