import type { RolePlan, TaskInstance } from '@vf/rollout';

/**
 * Has each runtime say whether boxes as the tasks want them can be had here, before a rollout fails of it.
 * @throws VfError as the runtime tells it
 */
export async function checkBoxes(
  tasks: readonly TaskInstance[],
  roles: readonly Pick<RolePlan, 'runtime'>[],
  signal: AbortSignal,
): Promise<void> {
  for (const { plugin, config } of new Set(roles.map(({ runtime }) => runtime))) {
    const specs = tasks.map(({ task: { image, build, compose } }) => ({
      config,
      ...(image === undefined ? {} : { image }),
      ...(build === undefined ? {} : { build }),
      ...(compose === undefined ? {} : { compose }),
    }));
    await plugin.check?.(specs, signal);
  }
}
