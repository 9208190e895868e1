import type { TaskInstance } from '@vf/rollout';

/** Globs on a task's key and name. */
export interface Selection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

type Matches = (name: string) => boolean;

/** Says of a task whether it is in. Without `include` every task is; `exclude` wins. */
export async function taskFilter({
  include,
  exclude,
}: Selection): Promise<(task: TaskInstance) => boolean> {
  const included = await matcherOf(include);
  const excluded = await matcherOf(exclude);
  return (task) =>
    !names(task).some(excluded) && (include.length === 0 || names(task).some(included));
}

function names({ key, task }: TaskInstance): string[] {
  return task.name === undefined ? [key] : [key, task.name];
}

async function matcherOf(globs: readonly string[]): Promise<Matches> {
  if (globs.length === 0) return () => false;
  // Most runs select nothing, and loading it takes a tenth of their start.
  const { default: picomatch } = await import('picomatch');
  const literal = new Set(globs);
  const matches = picomatch([...globs], { dot: true });
  return (name) => literal.has(name) || matches(name);
}
