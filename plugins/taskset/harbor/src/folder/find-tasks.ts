import { readdir } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VfError } from '@vf/core/errors';
import type { TaskFolder } from '../source/task-folder.ts';
import { isFile, isFolder } from './look.ts';

/**
 * The tasks at a place: the folder itself when it is one, else the folders in it, else those in its `tasks`, as
 * checkouts and packages have them. Sorted by name.
 * @throws VfError taskset/load_failed when there is none
 */
export async function findTasks(root: string): Promise<TaskFolder[]> {
  if (await isFile(join(root, 'task.toml'))) return [{ key: basename(root), dir: root }];
  for (const folder of [root, join(root, 'tasks')]) {
    const found = await tasksIn(folder);
    if (found.length > 0) return found;
  }
  const what = (await isFolder(root)) ? 'holds no folder with a task.toml' : 'is no folder';
  throw new VfError('taskset/load_failed', `${root} ${what}`, {
    hint: '--taskset.path FOLDER: a task, or the folder that holds the tasks',
  });
}

async function tasksIn(folder: string): Promise<TaskFolder[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(names.map((name) => isFile(join(folder, name, 'task.toml'))));
  return names
    .filter((_name, i) => found[i])
    .toSorted()
    .map((name) => ({ key: name, dir: join(folder, name) }));
}

/**
 * The folder that a config means: `path`, within the package when one is named.
 * @throws VfError taskset/load_failed
 */
export function rootOf(
  given: { readonly path?: string | undefined; readonly package?: string | undefined },
  cwd: string,
): string {
  if (given.package !== undefined)
    return resolve(packageFolder(given.package, cwd), given.path ?? '.');
  if (given.path !== undefined) return resolve(cwd, given.path);
  throw new VfError('taskset/load_failed', 'no place of tasks is named', {
    hint: '--taskset.path FOLDER, or --taskset.package NAME',
  });
}

function packageFolder(name: string, cwd: string): string {
  const manifest = manifestOf(name, cwd);
  if (manifest !== undefined) return dirname(manifest);
  throw new VfError('taskset/load_failed', `package ${name} is not installed in ${cwd}`, {
    hint: `npm install ${name}`,
  });
}

function manifestOf(name: string, cwd: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(join(cwd, 'package.json')));
  } catch {
    return undefined;
  }
}
