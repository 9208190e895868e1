import { VfError, nearest } from '@vf/core/errors';

/** Those of the names that a config gives, all when it gives none. @throws VfError taskset/load_failed for others */
export function selected<Keyed extends { readonly key: string }>(
  tasks: readonly Keyed[],
  names: readonly string[],
): readonly Keyed[] {
  if (names.length === 0) return tasks;
  const keys = tasks.map(({ key }) => key);
  const unknown = names.filter((name) => !keys.includes(name));
  if (unknown.length === 0) return tasks.filter(({ key }) => names.includes(key));
  const close = nearest(unknown[0] ?? '', keys);
  throw new VfError('taskset/load_failed', `there is no task ${unknown.join(', no ')}`, {
    hint: close === null ? 'name folders as they are, without their parents' : `nearest: ${close}`,
  });
}
