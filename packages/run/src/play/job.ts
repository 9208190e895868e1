import type { TaskInstance } from '@vf/rollout';

/** One planned episode. */
export interface Job {
  readonly task: TaskInstance;
  /** From 1. */
  readonly attempt: number;
}

/** All attempts of a task stand together, so that groups are complete early. `isDone` leaves out what is there when its turn comes. */
export function* jobsOf(
  tasks: readonly TaskInstance[],
  attempts: number,
  isDone: (task: TaskInstance, attempt: number) => boolean,
): Generator<Job, void> {
  for (const task of tasks)
    for (let attempt = 1; attempt <= attempts; attempt++)
      if (!isDone(task, attempt)) yield { task, attempt };
}

/** `<task key>:<attempt>`, as people name an episode. */
export function jobName({ task, attempt }: Job): string {
  return `${task.key}:${attempt}`;
}
