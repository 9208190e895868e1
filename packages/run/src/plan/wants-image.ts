import type { TaskInstance } from '@vf/rollout';

/** Does the task name an image, or what to build one of? It then runs in a container unless told otherwise. */
export function wantsImage({ task }: TaskInstance): boolean {
  return task.image !== undefined || task.build !== undefined;
}
