import type { ImageIdentity, WantedBox } from '@vf/core';
import type { RolePlan, TaskInstance } from '@vf/rollout';

type Roles = readonly Pick<RolePlan, 'runtime'>[];

/**
 * Has each runtime say whether boxes as the tasks want them can be had here, before a rollout fails of it.
 * @returns what the user should know
 * @throws VfError as the runtime tells it
 */
export async function checkBoxes(
  tasks: readonly TaskInstance[],
  roles: Roles,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const notes = new Set<string>();
  for (const { plugin, config } of runtimesOf(roles)) {
    const told = await plugin.check?.(wantedOf(tasks, config), signal);
    for (const note of told ?? []) notes.add(note);
  }
  return [...notes];
}

/** Digest by name of an image, or by the task for whose sake it is built; null while it is nowhere but in a registry. */
export type Images = Readonly<Record<string, string | null>>;

/** What stands behind the images of the tasks. */
export async function imagesOf(
  tasks: readonly TaskInstance[],
  roles: Roles,
  signal: AbortSignal,
): Promise<Images> {
  const images: Record<string, string | null> = {};
  for (const { plugin, config } of runtimesOf(roles)) {
    const found = (await plugin.images?.(wantedOf(tasks, config), signal)) ?? [];
    for (const [index, identity] of found.entries()) {
      const key = tasks[index]?.key ?? '';
      for (const image of [identity ?? []].flat()) images[nameOf(image, key)] = image.digest;
    }
  }
  return images;
}

/** Is this the name of an image that is built for the sake of the task? */
export function isBuildOf(image: string, task: string): boolean {
  return image === `build of ${task}` || image.startsWith(`build of ${task}, service `);
}

function nameOf({ name, service }: ImageIdentity, task: string): string {
  return name ?? `build of ${task}${service === undefined ? '' : `, service ${service}`}`;
}

function runtimesOf(roles: Roles): readonly RolePlan['runtime'][] {
  return [...new Set(roles.map(({ runtime }) => runtime))];
}

function wantedOf(tasks: readonly TaskInstance[], config: unknown): readonly WantedBox<object>[] {
  return tasks.map(({ key, task: { image, build, compose, network, resources } }) => ({
    config: config as object,
    task: key,
    ...(image === undefined ? {} : { image }),
    ...(build === undefined ? {} : { build }),
    ...(compose === undefined ? {} : { compose }),
    ...(network === undefined ? {} : { network }),
    ...(resources === undefined ? {} : { resources }),
  }));
}
