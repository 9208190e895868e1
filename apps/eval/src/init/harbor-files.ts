import { existsSync, readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { VfError } from '@vf/core/errors';

const taskFile = 'task.toml';

/** Folders with a `task.toml`: the one at a path, those in it, or those in its `tasks`. @throws VfError usage/not_found */
export function harborTasksAt(path: string): readonly string[] {
  const root = resolve(path);
  if (existsSync(join(root, taskFile))) return [root];
  for (const folder of [root, join(root, 'tasks')]) {
    const found = childrenOf(folder).filter((dir) => existsSync(join(dir, taskFile)));
    if (found.length > 0) return found;
  }
  throw new VfError('usage/not_found', `${path} holds no folder with a ${taskFile}`, {
    hint: 'vf init taskset NAME --from harbor PATH: a task, or the folder that holds the tasks',
  });
}

function childrenOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name));
}

/** Puts the tasks into `tasks/` of a package; scripts keep their modes. */
export async function copyHarborTasks(tasks: readonly string[], packageDir: string): Promise<void> {
  for (const task of tasks) {
    const to = join(packageDir, 'tasks', basename(task));
    await cp(task, to, {
      recursive: true,
      verbatimSymlinks: true,
      errorOnExist: true,
      force: false,
    });
  }
}
