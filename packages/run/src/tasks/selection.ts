import picomatch from 'picomatch';
import type { TaskInstance } from '@vf/rollout';

/** Globs on a task's key and name. */
export interface Selection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Without `include` every task is in; `exclude` wins. */
export function matchesSelection(task: TaskInstance, { include, exclude }: Selection): boolean {
  if (matchesAny(task, exclude)) return false;
  return include.length === 0 || matchesAny(task, include);
}

function matchesAny({ key, task }: TaskInstance, globs: readonly string[]): boolean {
  return globs.some(
    (glob) => isMatch(key, glob) || (task.name !== undefined && isMatch(task.name, glob)),
  );
}

function isMatch(name: string, glob: string): boolean {
  return name === glob || picomatch.isMatch(name, glob, { dot: true });
}
