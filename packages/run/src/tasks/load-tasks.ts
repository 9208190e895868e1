import type { AnyTasksetSpec } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { thrownAt } from '@vf/core/trace';
import type { TaskInstance } from '@vf/rollout';
import { TaskKeys } from './task-key.ts';
import { checkRow } from './check-row.ts';
import { taskFilter } from './selection.ts';
import type { Selection } from './selection.ts';
import { shuffled } from './shuffle.ts';

const mostProblems = 20;

export interface LoadOptions extends Selection {
  /** Rows to take; null = all. */
  readonly limit: number | null;
  readonly skip: number;
  readonly shuffle: boolean;
  readonly seed: number;
  /** Of what is selected only these, in the order of the rows; `skip` and `shuffle` then say nothing. */
  readonly keys?: ReadonlySet<string>;
}

/**
 * The rows a run sees, validated. Reads no further than it must, unless they are shuffled; a taskset without end no
 * further than a run of as many tasks did.
 * @throws VfError taskset/load_failed, taskset/invalid_row (all bad rows at once), taskset/duplicate_key
 */
export async function loadTasks(
  taskset: {
    readonly name: string;
    readonly spec: AnyTasksetSpec;
    readonly config: Readonly<Record<string, unknown>>;
  },
  options: LoadOptions,
  signal: AbortSignal,
): Promise<TaskInstance[]> {
  const tasks: TaskInstance[] = [];
  const problems: Problem[] = [];
  const keys = new TaskKeys();
  const isSelected = await taskFilter(options);
  const { keys: named, limit, skip } = options;
  const wanted =
    limit === null || (options.shuffle && named === undefined)
      ? Infinity
      : (named === undefined ? skip : 0) + limit;
  const farthest =
    named !== undefined && taskset.spec.infinite === true ? skip + named.size : Infinity;
  let selected = 0;
  let row = -1;
  for await (const raw of rowsOf(taskset, signal)) {
    row++;
    const checked = checkRow(raw, taskset.spec.data, row);
    if ('problems' in checked) problems.push(...checked.problems);
    else {
      const task = keys.name(checked, row);
      if (isSelected(task)) {
        selected++;
        if (named === undefined || named.has(task.key)) tasks.push(task);
      }
    }
    const isEnough = tasks.length >= wanted || selected >= farthest;
    if (isEnough || problems.length >= mostProblems) break;
  }
  if (problems.length > 0) throw invalidRows(taskset.name, problems);
  if (named !== undefined) return tasks;
  const ordered = options.shuffle ? shuffled(tasks, options.seed) : tasks;
  return ordered.slice(skip, limit === null ? undefined : skip + limit);
}

async function* rowsOf(
  taskset: Parameters<typeof loadTasks>[0],
  signal: AbortSignal,
): AsyncGenerator {
  try {
    const rows: AsyncIterable<unknown> | Iterable<unknown> = await taskset.spec.load({
      config: taskset.config,
      signal,
    });
    for await (const row of rows) {
      signal.throwIfAborted();
      yield row;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    const place = error instanceof Error ? thrownAt(String(error.stack)) : null;
    throw toVfError(
      error,
      'taskset/load_failed',
      `taskset ${taskset.name} could not load its rows${place === null ? '' : `, at ${place}`}`,
      'mend load(), or what it reads',
    );
  }
}

function invalidRows(name: string, problems: readonly Problem[]): VfError {
  const count =
    problems.length >= mostProblems
      ? `${mostProblems} or more problems`
      : problems.length === 1
        ? '1 problem'
        : `${problems.length} problems`;
  return new VfError('taskset/invalid_row', `${count} in the rows of taskset ${name}`, {
    problems,
    hint: 'mend load() or the data schema',
  });
}
