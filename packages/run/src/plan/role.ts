import type { Client, Dialect, RoleSpec } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { RolePlan, TaskInstance } from '@vf/rollout';
import type { RoleConfig } from '../config/run-config.ts';
import { planHarness } from './harness.ts';
import type { Provider } from './providers.ts';
import { boundsOf } from './role-bounds.ts';
import { planModel } from './role-model.ts';
import type { ModelSurroundings } from './role-model.ts';
import { planRuntime } from './runtime.ts';
import type { UsedPlugin } from './used-plugin.ts';

interface RoleSurroundings extends ModelSurroundings {
  /** They decide the default runtime. */
  readonly tasks: readonly TaskInstance[];
}

interface PlannedRole {
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

/**
 * Every role of an environment, with the run's values where it has none of its own.
 * @throws VfError plugin/*, provider/no_key (unless `onNoKey` takes it), config/invalid, misfit/*
 */
export async function planRoles(
  specs: Readonly<Record<string, RoleSpec>>,
  around: RoleSurroundings,
): Promise<ReadonlyMap<string, PlannedRole>> {
  const roles = new Map<string, PlannedRole>();
  for (const [name, spec] of Object.entries(specs))
    roles.set(name, await planRole(name, spec, around.config.roles[name] ?? {}, around));
  return roles;
}

async function planRole(
  name: string,
  spec: RoleSpec,
  own: RoleConfig,
  around: RoleSurroundings,
): Promise<PlannedRole> {
  const { config, host, secrets, tasks, signal } = around;
  const harnessTable = own.harness ?? config.harness;
  const plugin = await host.load('harness', harnessTable.id, signal);
  const harness = planHarness(plugin, harnessTable, secrets);
  const runtimeTable = own.runtime ?? config.runtime;
  const runtime = await planRuntime(runtimeTable, tasks, host, signal);
  const settings = {
    model: own.model ?? config.model,
    client: own.client ?? config.client,
    sampling: { ...config.sampling, ...own.sampling },
  };
  const called = await planModel(harness, settings, around);
  const { model, provider, dialect, client, price, notes } = called;
  const plan: RolePlan = {
    name,
    trainable: spec.trainable ?? true,
    scored: spec.scored ?? true,
    harness: harness.plan,
    dialect: dialect?.id ?? '',
    runtime: runtime.plan,
    model,
    client,
    sampling: settings.sampling,
    // A group of attempts that all sample the same teaches nothing.
    seedEach: settings.client.type === 'train',
    price,
    ...boundsOf(own, config),
    keepFailedBoxes: runtimeTable.keep === 'failed',
  };
  return {
    plan: called.fits ? plan : null,
    dialect: dialect === null ? null : (dialect.value as Dialect),
    provider,
    plugins: [plugin, runtime.plugin, ...(dialect === null ? [] : [dialect])],
    problems: [
      ...harness.problems,
      ...runtime.problems,
      ...called.problems,
      ...(model === '' ? [{ message: `role ${name} has no model`, fix: '-m MODEL' }] : []),
    ],
    notes,
    client,
  };
}
