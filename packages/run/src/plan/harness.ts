import type { Capabilities, Harness } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { LoadedPlugin } from '@vf/plugin-host';
import type { RolePlan } from '@vf/rollout';
import { parseOptions } from '../config/plugin-options.ts';
import type { HarnessTable } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';

export interface PlannedHarness {
  readonly plan: RolePlan['harness'];
  /** In order of preference; empty when its settings are wrong. */
  readonly speaks: readonly string[];
  readonly capabilities: Capabilities;
  readonly problems: readonly Problem[];
}

/** A harness with its settings checked, and what follows from them. */
export function planHarness(
  plugin: Pick<LoadedPlugin, 'id' | 'value'>,
  table: HarnessTable,
  secrets: Secrets,
): PlannedHarness {
  const { spec } = plugin.value as Harness;
  const options = {
    ...table.options,
    ...(table.version === null ? {} : { version: table.version }),
  };
  const { value: config, problems } = parseOptions(
    spec.config,
    options,
    `harness ${plugin.id}`,
    'harness',
  );
  const own = { id: plugin.id, config, env: envOf(table, secrets) };
  if (problems.length > 0) {
    const plan = { ...own, version: null, spec };
    return { plan, speaks: [], capabilities: spec.capabilities, problems };
  }
  const settings = { config, env: table.env };
  const capabilities: Capabilities = spec.capabilitiesOf?.(settings) ?? spec.capabilities;
  return {
    plan: {
      ...own,
      id: spec.name?.(config) ?? plugin.id,
      version: spec.version?.(config) ?? null,
      spec: { ...spec, capabilities },
    },
    speaks: typeof spec.speaks === 'function' ? spec.speaks(config) : spec.speaks,
    capabilities,
    problems: spec.check?.(settings) ?? [],
  };
}

function envOf(table: HarnessTable, secrets: Secrets): Record<string, string> {
  const forwarded = table.forwardEnv.flatMap((name) => {
    const value = secrets.take(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...table.env, ...Object.fromEntries(forwarded) };
}
