import type { Client, Dialect } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import type { RolePlan, TaskInstance } from '@vf/rollout';
import type { RunConfig } from '../config/run-config.ts';
import { requirePrices } from '../prices/budget-prices.ts';
import type { Secrets } from '../secrets.ts';
import { checkBoxes, imagesOf } from './check-boxes.ts';
import { loadEnvironment, unknownRoles } from './environment.ts';
import type { LoadedEnvironment } from './environment.ts';
import { planHooks } from './hooks.ts';
import type { PlannedHooks } from './hooks.ts';
import { misfits, unpricedUsers } from './misfits.ts';
import { loadNamed } from './named-plugins.ts';
import { planRoles } from './role.ts';
import type { RunPlan } from './run-plan.ts';
import { planSideModels, sideModelProblems, sideModelsOf } from './side-models.ts';
import type { PlannedSideModel } from './side-models.ts';
import { loadTaskset, selectTasks, unboundedTaskset } from './taskset.ts';
import type { LoadedTaskset } from './taskset.ts';
import type { UsedPlugin } from './used-plugin.ts';
import { wantsImage } from './wants-image.ts';

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
export async function planRun(input: PlanInput, signal: AbortSignal): Promise<RunPlan> {
  const { config, host, secrets, sourceOf, asksModel = true, keysLater = false } = input;
  const { taskset, environment, hooks } = await loadParts(input, signal);
  const tasks = await selectTasks(taskset, config, input.onlyTasks, signal);

  const missingKeys = new Set<string>();
  const noteKey = ({ message }: VfError) => void missingKeys.add(`${message}; the run needs it`);
  const onNoKey = keysLater ? noteKey : undefined;
  const around = { config, host, secrets, sourceOf, asksModel, onNoKey, tasks, signal };
  const roles = await planRoles(environment.spec.roles, around);
  const planned = [...roles.values()];
  const declared = sideModelsOf(taskset.spec, hooks);
  const { sideModels, plugins: ofSideModels } = await planSideModels(declared, around);
  const plans = planned.flatMap(({ plan }) => plan ?? []);
  refuse('misfit/plan', 'this plan does not fit together', [
    ...planned.flatMap(({ problems }) => problems),
    ...misfits(taskset.spec, tasks, plans),
    ...unpricedUsers(sideModels, plans),
  ]);
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
    providers: Object.fromEntries([...roles].map(([name, { provider }]) => [name, provider])),
    plugins: uniquePlugins([
      ...taskset.plugins,
      ...environment.plugins,
      ...planned.flatMap(({ plugins }) => plugins),
      ...ofSideModels,
    ]),
    folderName: folderName(taskset.name, plans),
    notes: [
      ...(config.runtime.id === null ? [chosenRuntime(tasks, plans)] : []),
      ...new Set(planned.flatMap(({ notes }) => notes)),
      ...told,
      ...missingKeys,
    ],
    close: () => closeAll([...planned.map(({ client }) => client), ...clientsOf(sideModels)]),
  };
  // Where calls would go is not known without the key, nor then what they cost.
  if (asksModel && missingKeys.size === 0) requirePrices(plan);
  return plan;
}

interface Parts {
  readonly taskset: LoadedTaskset;
  readonly environment: LoadedEnvironment;
  readonly hooks: PlannedHooks;
}

/** The plugins that the config names. @throws VfError with all that is wrong with their settings */
async function loadParts(input: PlanInput, signal: AbortSignal): Promise<Parts> {
  const { config, host } = input;
  const ofRoles = await loadNamed(input, signal);
  const taskset = await loadTaskset(config, host, signal);
  const environment = await loadEnvironment(config, host, signal);
  const hooks = await planHooks(taskset.spec, config);
  const wrong = [
    ...taskset.problems,
    ...environment.problems,
    ...hooks.problems,
    ...sideModelProblems(sideModelsOf(taskset.spec, hooks), config.judges),
    ...unknownRoles(environment, config),
    ...unboundedTaskset(taskset, config),
  ];
  // Those of roles alone are told with the other misfits of the plan.
  const problems = wrong.length === 0 ? [] : [...wrong, ...ofRoles];
  refuse('config/invalid', 'the configuration does not fit the plugins it names', problems);
  return { taskset, environment, hooks };
}

function refuse(
  code: 'config/invalid' | 'misfit/plan',
  message: string,
  problems: readonly Problem[],
): void {
  if (problems.length > 0) throw new VfError(code, message, { problems: unique(problems) });
}

function unique(problems: readonly Problem[]): Problem[] {
  const named = problems.map((problem) => [`${problem.path} ${problem.message}`, problem] as const);
  return [...new Map(named).values()];
}

function chosenRuntime(tasks: readonly TaskInstance[], roles: readonly RolePlan[]): string {
  const why = tasks.some(wantsImage) ? 'tasks name an image' : 'no task names an image';
  return `runtime ${roles[0]?.runtime.id} (${why})`;
}

function folderName(taskset: string, roles: readonly RolePlan[]): string {
  const models = [...new Set(roles.map(({ model }) => model))].join('+');
  const harnesses = [...new Set(roles.map(({ harness }) => harness.id))].join('+');
  return [taskset, models, harnesses]
    .map((part) => part.replaceAll(/[^A-Za-z0-9._-]/g, '-'))
    .join('--');
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

function clientsOf(sideModels: readonly PlannedSideModel[]): Client[] {
  return sideModels.flatMap(({ connection }) =>
    VfError.isInstance(connection) ? [] : [connection.client],
  );
}

async function closeAll(clients: readonly Client[]): Promise<void> {
  await Promise.allSettled(clients.map(async (client) => client.close?.()));
}
