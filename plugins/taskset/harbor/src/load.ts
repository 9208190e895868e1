import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { Config } from './config.ts';
import { digestOf } from './folder/digest.ts';
import { readTask } from './folder/read-task.ts';
import { rowOf } from './row.ts';
import { selected } from './source/select.ts';
import { tasksOf } from './source/tasks-of.ts';

/** Tasks read at once: each opens a handful of files. */
const batch = 32;

/**
 * The rows of all tasks at the place that the config names, else of those that are shipped.
 * @throws VfError taskset/load_failed with every fault of every task by file, line and key
 */
export async function loadRows(config: Config, shipped: string | undefined, signal: AbortSignal) {
  const folders = selected(await tasksOf(config, shipped, signal), config.tasks);
  const problems: Problem[] = [];
  const rows: ReturnType<typeof rowOf>[] = [];
  for (let i = 0; i < folders.length; i += batch) {
    signal.throwIfAborted();
    const read = await Promise.all(
      folders.slice(i, i + batch).map(async ({ key, dir }) => {
        const result = await readTask(dir);
        return 'refused' in result
          ? result
          : { row: rowOf(key, result.task, await digestOf(dir), config) };
      }),
    );
    for (const result of read) {
      if ('row' in result) rows.push(result.row);
      else problems.push(...result.refused);
    }
  }
  if (problems.length === 0) return rows;
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  throw new VfError('taskset/load_failed', `${count} in Harbor tasks`, {
    problems,
    hint: 'mend them, or name the tasks to play: --taskset.tasks NAME',
  });
}
