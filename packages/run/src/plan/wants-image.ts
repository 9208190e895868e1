import type { TaskInstance } from '@vf/rollout';

/** Does the task name an image, what to build one of, or services? It then runs in a container unless told otherwise. */
export function wantsImage({ task }: TaskInstance): boolean {
  return (task.image ?? task.build ?? task.compose) !== undefined;
}
