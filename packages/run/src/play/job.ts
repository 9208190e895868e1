import type { TaskInstance } from '@vf/rollout';

/** One planned episode. */
export interface Job {
  readonly task: TaskInstance;
  /** From 1. */
  readonly attempt: number;
}

/** All attempts of a task stand together, so that groups are complete early. `isDone` leaves out what is there. */
export function jobsOf(
  tasks: readonly TaskInstance[],
  attempts: number,
  isDone: (task: TaskInstance, attempt: number) => boolean,
): Job[] {
  return tasks.flatMap((task) =>
    Array.from({ length: attempts }, (_, i) => ({ task, attempt: i + 1 })).filter(
      ({ attempt }) => !isDone(task, attempt),
    ),
  );
}

/** `<task key>:<attempt>`, as people name an episode. */
export function jobName({ task, attempt }: Job): string {
  return `${task.key}:${attempt}`;
}
