import { basename } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { FlagValue, ResolvedConfig, RunPlan } from '@vf/run';
import { readIndexStream, readPlan } from '@vf/store';

/** The run whose traces are scored again. */
export interface ParentRun {
  readonly name: string;
  /** Keys of all tasks that were planned or played, also those that a resume added. */
  readonly tasks: ReadonlySet<string>;
  /** What the new run is unless the command line says otherwise: as large as its parent, and with a name of its own or none. */
  readonly flags: readonly FlagValue[];
}

/** @throws VfError store/* */
export async function readParent(dir: string): Promise<ParentRun> {
  const plan = new Map(Object.entries((await readPlan(dir)) as object));
  const tasks = new Set(Object.keys(Object(plan.get('tasks')) as object));
  let attempts = Number(plan.get('attempts') ?? 1);
  for await (const entries of readIndexStream(dir)) {
    for (const { task, attempt } of entries) {
      tasks.add(task);
      attempts = Math.max(attempts, attempt);
    }
  }
  const flag = `the run ${basename(dir)}`;
  const set = (key: string, value: number): FlagValue => ({
    flag,
    path: [key],
    value,
    text: String(value),
  });
  return {
    name: basename(dir),
    tasks,
    flags: [
      { flag, path: ['run'], value: undefined, text: null },
      set('num_examples', tasks.size),
      set('rollouts_per_example', attempts),
    ],
  };
}

/** Keys by which one asks for fewer tasks than the run has. */
const narrowing = ['num_examples', 'select.include', 'select.exclude'];

/**
 * Stored traces whose row is gone cannot be scored, and a run without them would look whole.
 * @throws VfError store/other_config unless fewer tasks were asked for
 */
export function requireTasks(
  { name, tasks }: ParentRun,
  plan: RunPlan,
  resolved: ResolvedConfig,
): void {
  if (narrowing.some((path) => resolved.sourceOf(path)?.startsWith('--') === true)) return;
  const found = new Set(plan.tasks.map(({ key }) => key));
  const gone = [...tasks].filter((key) => !found.has(key));
  if (gone.length === 0) return;
  const some = gone.slice(0, 3).join(', ');
  const message = `${gone.length} of ${tasks.size} are no longer there: ${some}${gone.length > 3 ? ', …' : ''}`;
  throw new VfError('store/other_config', `run ${name} has tasks that the taskset has not`, {
    problems: [{ path: 'tasks', message }],
    hint: `put the rows back, or vf rescore ${name} -n ${found.size} for those that are there`,
  });
}
