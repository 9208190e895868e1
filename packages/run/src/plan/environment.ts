import type { AnyEnvironmentSpec, Environment } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import { single } from '@vf/rollout';
import { parseOptions } from '../config/plugin-options.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { UsedPlugin } from './used-plugin.ts';

export interface LoadedEnvironment {
  readonly id: string;
  readonly spec: AnyEnvironmentSpec;
  readonly config: Readonly<Record<string, unknown>>;
  /** What is wrong with its options. */
  readonly problems: readonly Problem[];
  readonly plugins: readonly UsedPlugin[];
}

/**
 * The environment that the config names, its options checked; `single` is built in.
 * @throws VfError plugin/*
 */
export async function loadEnvironment(
  config: RunConfig,
  host: PluginHost,
  signal: AbortSignal,
): Promise<LoadedEnvironment> {
  const { id, options } = config.environment;
  if (id === 'single') return { id, spec: single, config: {}, problems: [], plugins: [] };
  const plugin = await host.load('environment', id, signal);
  const { spec } = plugin.value as Environment;
  const parsed = parseOptions(spec.config, options, `environment ${plugin.id}`, 'environment');
  return {
    id: plugin.id,
    spec,
    config: parsed.value,
    problems: parsed.problems,
    plugins: [plugin],
  };
}

/** Roles of the config that the environment has not. */
export function unknownRoles({ spec }: LoadedEnvironment, config: RunConfig): Problem[] {
  const known = Object.keys(spec.roles);
  return Object.keys(config.roles)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `roles.${name}`,
      message: `the environment has no such role; it has ${known.join(', ')}`,
    }));
}
