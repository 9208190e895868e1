import { join } from 'node:path';
import type { Box, BoxSpec, ComposeSet } from '@vf/core';
import type { RolePlan, Services, TaskInstance } from './plan.ts';
import { VfError, toVfError } from '@vf/core/errors';

/** The boxes of one episode: freed together, newest first, whatever happens. */
export class Boxes {
  readonly #boxes: { readonly box: Box; kept: ((entry: string) => void) | null }[] = [];

  /** Provisions a box; what is aborted half-way is freed by the runtime itself. */
  async open(
    role: RolePlan,
    spec: Omit<BoxSpec, 'config' | 'labels'>,
    rolloutId: string,
    services: Services,
    signal: AbortSignal,
  ): Promise<Box> {
    const { plugin, config, id } = role.runtime;
    const dir = spec.compose === undefined ? null : services.artifactDir(rolloutId);
    const logDir = dir === null ? {} : { logDir: join(dir, 'services') };
    try {
      const labels = services.labels(rolloutId);
      const warn = (message: string): void => services.log(rolloutId).warn(message);
      const box = await plugin.create({ ...spec, ...logDir, config, labels, warn }, signal);
      this.#boxes.push({ box, kept: null });
      return box;
    } catch (error) {
      throw toVfError(error, 'runtime/boot_failed', `${id} could not provision a box`);
    }
  }

  /** The box behind a runtime that a hook or an environment hands back to us. */
  find(runtime: { readonly id: string }): Box {
    const known = this.#boxes.find(({ box }) => box === runtime || box.id === runtime.id);
    if (known !== undefined) return known.box;
    throw new VfError('internal/unexpected', `runtime ${runtime.id} is no box of this episode`);
  }

  /** Leaves a box standing until `vf cleanup`. @param kept told how a person gets into it, once it is known */
  keep(box: Box, kept: (entry: string) => void): void {
    const known = this.#boxes.find((entry) => entry.box === box);
    if (known !== undefined) known.kept = kept;
  }

  /** @returns what went wrong while freeing; the others are freed all the same */
  async close(): Promise<readonly unknown[]> {
    const going = this.#boxes.splice(0).toReversed();
    const results = await Promise.allSettled(
      going.map(({ box, kept }) => (kept === null ? box.stop() : keepOrStop(box, kept))),
    );
    return results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
  }
}

/** One that cannot be kept is freed. */
async function keepOrStop(box: Box, kept: (entry: string) => void): Promise<void> {
  try {
    if (box.keep === undefined) throw new Error('its runtime keeps no boxes');
    kept(await box.keep());
  } catch (error) {
    await box.stop();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`box ${box.id} was freed and not kept: ${why}`, { cause: error });
  }
}

/** What a task asks of its box. `${NAME}` in `env` values is taken from where the rollout runs. */
export function boxSpecOf(
  task: TaskInstance,
  services: Services,
): Omit<BoxSpec, 'config' | 'labels'> {
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
export function otherBox(
  own: Omit<BoxSpec, 'config' | 'labels'>,
  spec: Partial<Omit<BoxSpec, 'config' | 'labels'>> = {},
): Omit<BoxSpec, 'config' | 'labels'> {
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
