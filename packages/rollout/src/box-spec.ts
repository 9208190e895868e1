import type { BoxSpec, ComposeSet } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Services, TaskInstance } from './plan.ts';

/** What a task says of its box; the runtime's own options and the labels are the run's. */
export type TaskBoxSpec = Omit<BoxSpec, 'config' | 'labels'>;

/** What a task asks of its box. `${NAME}` in `env` values is taken from where the rollout runs. */
export function boxSpecOf(task: TaskInstance, services: Services): TaskBoxSpec {
  const { image, build, compose, workdir, user, runsEntrypoint, env, resources, network } =
    task.task;
  return {
    ...(image === undefined ? {} : { image }),
    ...(build === undefined ? {} : { build }),
    ...(compose === undefined ? {} : { compose: resolvedSet(compose, task.key, services) }),
    ...(workdir === undefined ? {} : { workdir }),
    ...(user === undefined ? {} : { user }),
    ...(runsEntrypoint === undefined ? {} : { runsEntrypoint }),
    ...(env === undefined ? {} : { env: resolveEnv(env, task.key, services) }),
    ...(resources === undefined ? {} : { resources }),
    ...(network === undefined ? {} : { network }),
  };
}

/** A box like the task's with what a hook asks for; workdir, user and services of the task's say nothing of another. */
export function otherBox(own: TaskBoxSpec, spec: Partial<TaskBoxSpec> = {}): TaskBoxSpec {
  if ((spec.image ?? spec.build ?? spec.compose) === undefined) return { ...own, ...spec };
  const {
    image: _image,
    build: _build,
    compose: _compose,
    workdir: _workdir,
    user: _user,
    ...rest
  } = own;
  return { ...rest, ...spec };
}

function resolvedSet(set: ComposeSet, key: string, services: Services): ComposeSet {
  const { files, variables = {} } = set;
  return { files, variables: resolveEnv(variables, key, services, 'compose.variables') };
}

function resolveEnv(
  env: Readonly<Record<string, string>>,
  key: string,
  services: Services,
  field = 'env',
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      resolveValue(value, `${field}.${name}`, key, services),
    ]),
  );
}

/** `${NAME}`, `${NAME:-text}`; with another `$` before it, it is meant literally. */
const reference = /\$?\$\{(\w+)(?::-([^}]*))?\}/g;

function resolveValue(value: string, name: string, key: string, services: Services): string {
  return value.replaceAll(reference, (whole, variable: string, fallback?: string) => {
    if (whole.startsWith('$$')) return whole.slice(1);
    const secret = services.secret(variable) ?? fallback;
    if (secret !== undefined) return secret;
    throw new VfError(
      'taskset/setup_failed',
      `task ${key}: ${name} needs ${variable}, which is not set`,
      { hint: `export ${variable}=…` },
    );
  });
}
