import type { Dialect } from '../contract/dialect.ts';
import type { Environment, EnvironmentSpec, RoleSpec } from '../contract/environment.ts';
import type { Export } from '../contract/export.ts';
import type { Harness, HarnessSpec } from '../contract/harness.ts';
import type { Hook } from '../contract/hook.ts';
import type { Runtime } from '../contract/runtime.ts';
import type { NoRetype } from '../contract/task.ts';
import type { KeepsLiterals, Taskset, TasksetSpec } from '../contract/taskset.ts';
import type { Tool } from '../contract/tool.ts';

/** What a package's entry exports for one contribution, minus the two literals that `define*` adds. */
type Draft<Contract> = Omit<Contract, 'kind' | 'specVersion'>;

/** A taskset: data, tools, hooks and scoring. All types are inferred from the schemas, in any order of properties. */
export function defineTaskset<
  Row extends object = {},
  Data extends object = {},
  ConfigInput extends object = {},
  Config extends object = {},
  State extends object = {},
  Inputs extends object = {},
  Kept extends string | number | boolean | null = never,
>(
  spec: TasksetSpec<Row, Data, ConfigInput, Config, State, Inputs> &
    KeepsLiterals<NoInfer<Row>, Config, Kept> &
    NoRetype<NoInfer<Row>>,
): Taskset<Row, Data, Config> {
  return { kind: 'taskset', specVersion: 1, spec };
}

/** A tool kept in a module of its own; `Needs` is the state it requires of the taskset. */
export function tool<Input, Needs extends object = {}>(
  definition: Tool<Input, Hook<{}, {}, Needs>>,
): Tool<Input, Hook<{}, {}, Needs>> {
  return definition;
}

/** A harness: installs an agent program and drives it. */
export function defineHarness<
  ConfigInput extends object = {},
  Config extends object = {},
  const Speaks extends string = string,
>(spec: HarnessSpec<ConfigInput, Config, Speaks>): Harness<Config> {
  return { kind: 'harness', specVersion: 1, spec };
}

/** An environment: roles and one function that plays an episode with them. */
export function defineEnvironment<
  const Roles extends Record<string, RoleSpec>,
  ConfigInput extends object = {},
  Config extends object = {},
  Data extends object = {},
>(spec: EnvironmentSpec<Roles, ConfigInput, Config, Data>): Environment<Config> {
  return { kind: 'environment', specVersion: 1, spec };
}

/** A runtime: provisions boxes. */
export function defineRuntime<Config extends object = {}>(
  draft: Draft<Runtime<Config>>,
): Runtime<Config> {
  return { kind: 'runtime', specVersion: 1, ...draft };
}

/** A dialect: a provider's wire format. */
export function defineDialect(draft: Draft<Dialect>): Dialect {
  return { kind: 'dialect', specVersion: 1, ...draft };
}

/** An export: writes a run for another program. */
export function defineExport<Config extends object = {}>(
  draft: Draft<Export<Config>>,
): Export<Config> {
  return { kind: 'export', specVersion: 1, ...draft };
}
