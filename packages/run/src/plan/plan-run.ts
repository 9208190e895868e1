import { tasksetProblems } from '@vf/core';
import type { Client, Dialect, Environment, RoleSpec, Taskset } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import { single } from '@vf/rollout';
import type { RolePlan } from '@vf/rollout';
import { parseOptions } from '../config/plugin-options.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { loadTasks } from '../tasks/load-tasks.ts';
import { checkBoxes, imagesOf } from './check-boxes.ts';
import { planHooks } from './hooks.ts';
import { misfits, unpricedUsers } from './misfits.ts';
import { loadNamed } from './named-plugins.ts';
import { wantsImage } from './wants-image.ts';
import type { Provider } from './providers.ts';
import { requirePrices } from '../prices/budget-prices.ts';
import { planRole } from './role.ts';
import type { PlannedRole } from './role.ts';
import type { RunPlan } from './run-plan.ts';
import type { UsedPlugin } from './used-plugin.ts';
import { planSideModels, sideModelProblems, sideModelsOf } from './side-models.ts';
import type { PlannedSideModel } from './side-models.ts';

export interface PlanInput {
  readonly config: RunConfig;
  readonly host: PluginHost;
  readonly secrets: Secrets;
  /** Where a config value came from, for messages; null for a built-in. */
  readonly sourceOf: (path: string) => string | null;
  /** false: stored traces are scored again, so no provider and no key are needed. Default true. */
  readonly asksModel?: boolean;
  /** true: the plan is only shown, so a key that is not set is a note of it. Default false. */
  readonly keysLater?: boolean;
  /** Keys of the tasks of a stored run: of what the config selects, these and no others. */
  readonly onlyTasks?: ReadonlySet<string>;
}

/**
 * Resolves, loads and checks everything a run needs; starts nothing.
 * @throws VfError with all problems of a kind at once: config/invalid, taskset/*, plugin/*, provider/no_key, misfit/plan;
 * or what a runtime lacks here
 */
export async function planRun(
  { config, host, secrets, sourceOf, asksModel = true, keysLater = false, onlyTasks }: PlanInput,
  signal: AbortSignal,
): Promise<RunPlan> {
  const ofRoles = await loadNamed({ config, host, secrets, sourceOf }, signal);
  const taskset = await loadTaskset(config, host, signal);
  const environment = await loadEnvironment(config, host, signal);
  const hooks = await planHooks(taskset.spec, config);
  const declared = sideModelsOf(taskset.spec, hooks);
  const wrong = [
    ...taskset.problems,
    ...environment.problems,
    ...hooks.problems,
    ...sideModelProblems(declared, config.judges),
    ...unknownRoles(config, environment.spec.roles),
    ...unboundedTaskset(taskset.spec.infinite, config),
  ];
  refuse(
    'config/invalid',
    'the configuration does not fit the plugins it names',
    wrong.length === 0 ? [] : unique([...wrong, ...ofRoles]),
  );

  const { select } = config;
  const only = onlyTasks === undefined ? {} : { keys: onlyTasks };
  const limit = config.numExamples;
  const tasks = await loadTasks(taskset, { ...select, limit, ...only }, signal);
  refuse(
    'usage/invalid',
    `taskset ${taskset.name} gives no task`,
    tasks.length > 0 ? [] : nothingSelected(select),
  );

  const inImages = tasks.some(wantsImage);
  const keyNotes = new Set<string>();
  const onNoKey = keysLater
    ? ({ message }: VfError) => void keyNotes.add(`${message}; the run needs it`)
    : undefined;
  const asking = { config, host, secrets, asksModel, onNoKey, signal };
  const around = { ...asking, sourceOf, wantsImage: inImages };
  const roles: Record<string, PlannedRole> = {};
  for (const [name, spec] of Object.entries(environment.spec.roles as Record<string, RoleSpec>)) {
    roles[name] = await planRole(name, spec, config.roles[name] ?? {}, around);
  }
  const planned = Object.values(roles);
  const { sideModels, plugins } = await planSideModels(declared, asking);
  const plans = planned.flatMap(({ plan }) => plan ?? []);
  const own = planned.flatMap(({ problems }) => problems);
  refuse(
    'misfit/plan',
    'this plan does not fit together',
    unique([...own, ...misfits(taskset.spec, tasks, plans), ...unpricedUsers(sideModels, plans)]),
  );
  const told = asksModel ? await checkBoxes(tasks, plans, signal) : [];
  const images = asksModel ? await imagesOf(tasks, plans, signal) : {};

  const plan: RunPlan = {
    config,
    episode: {
      environment: { id: environment.id, spec: environment.spec, config: environment.config },
      taskset: { ...taskset, ...hooks },
      roles: Object.fromEntries(plans.map((role) => [role.name, role])),
    },
    tasks,
    images,
    sideModels,
    dialects: uniqueById(planned.flatMap(({ dialect }) => dialect ?? [])),
    providers: Object.fromEntries(
      Object.entries(roles).map(([name, { provider }]): [string, Provider] => [name, provider]),
    ),
    plugins: uniquePlugins([
      ...taskset.plugins,
      ...environment.plugins,
      ...planned.flatMap((role) => role.plugins),
      ...plugins,
    ]),
    folderName: folderName(taskset.name, plans),
    notes: [
      ...(config.runtime.id === null
        ? [
            `runtime ${plans[0]?.runtime.id} (${inImages ? 'tasks name an image' : 'no task names an image'})`,
          ]
        : []),
      ...new Set(planned.flatMap(({ notes }) => notes)),
      ...told,
      ...keyNotes,
    ],
    close: () => closeAll([...planned.map(({ client }) => client), ...clientsOf(sideModels)]),
  };
  // Where calls would go is not known without the key, nor then what they cost.
  if (asksModel && keyNotes.size === 0) requirePrices(plan);
  return plan;
}

/** The taskset that the config names, its options checked. */
export async function loadTaskset(config: RunConfig, host: PluginHost, signal: AbortSignal) {
  if (config.taskset === null) {
    throw new VfError('usage/invalid', 'no taskset is named', {
      hint: 'vf eval TASKSET, or [taskset] id in the config; vf plugins list shows what is installed',
    });
  }
  const plugin = await host.load('taskset', config.taskset.id, signal);
  const { spec } = plugin.value as Taskset;
  const parsed = parseOptions(
    spec.config,
    config.taskset.options,
    `taskset ${plugin.id}`,
    'taskset',
  );
  const problems = [...tasksetProblems(spec, plugin.id), ...parsed.problems];
  return {
    name: spec.name ?? plugin.id,
    spec,
    config: parsed.value,
    problems,
    plugins: [plugin] as readonly UsedPlugin[],
  };
}

async function loadEnvironment(config: RunConfig, host: PluginHost, signal: AbortSignal) {
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
    plugins: [plugin] as readonly UsedPlugin[],
  };
}

function unknownRoles(config: RunConfig, roles: Readonly<Record<string, unknown>>): Problem[] {
  const known = Object.keys(roles);
  return Object.keys(config.roles)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `roles.${name}`,
      message: `the environment has no such role; it has ${known.join(', ')}`,
    }));
}

function unboundedTaskset(infinite: boolean | undefined, config: RunConfig): Problem[] {
  if (infinite !== true || config.numExamples !== null) return [];
  return [
    {
      path: 'num_examples',
      message: 'the taskset never ends, so a bound is needed',
      fix: '-n 100',
    },
  ];
}

/** Each key that may have left nothing. */
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

function clientsOf(sideModels: readonly PlannedSideModel[]): Client[] {
  return sideModels.flatMap(({ connection }) =>
    VfError.isInstance(connection) ? [] : [connection.client],
  );
}

function refuse(
  code: 'config/invalid' | 'misfit/plan' | 'usage/invalid',
  message: string,
  problems: readonly Problem[],
): void {
  if (problems.length > 0) throw new VfError(code, message, { problems });
}

function folderName(taskset: string, roles: readonly RolePlan[]): string {
  const models = [...new Set(roles.map(({ model }) => model))].join('+');
  const harnesses = [...new Set(roles.map(({ harness }) => harness.id))].join('+');
  return [taskset, models, harnesses]
    .map((part) => part.replaceAll(/[^A-Za-z0-9._-]/g, '-'))
    .join('--');
}

function unique(problems: readonly Problem[]): Problem[] {
  const named = problems.map((problem) => [`${problem.path} ${problem.message}`, problem] as const);
  return [...new Map(named).values()];
}

function uniqueById(dialects: readonly Dialect[]): Dialect[] {
  return [...new Map(dialects.map((dialect) => [dialect.id, dialect])).values()];
}

function uniquePlugins(plugins: readonly UsedPlugin[]): UsedPlugin[] {
  return [
    ...new Map(
      plugins.map(({ kind, id, package: name, version }) => [
        `${kind}/${id}`,
        { kind, id, package: name, version },
      ]),
    ).values(),
  ];
}

async function closeAll(clients: readonly Client[]): Promise<void> {
  await Promise.allSettled(clients.map(async (client) => client.close?.()));
}
