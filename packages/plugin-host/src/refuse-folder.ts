import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginKind } from '@vf/core';
import { VfError } from '@vf/core/errors';

const harborFile = 'task.toml';

/**
 * Node imports no folder, and who names one may mean something else.
 * @param path as it was typed
 * @throws VfError plugin/unknown with what to type instead
 */
export function refuseFolder(folder: string, path: string, kind: PluginKind): void {
  if (!statSync(folder).isDirectory()) return;
  throw new VfError('plugin/unknown', `${folder} is a folder, and no module`, {
    hint: meant(folder, path, kind),
  });
}

function meant(folder: string, path: string, kind: PluginKind): string {
  if (kind === 'taskset' && holdsHarborTasks(folder))
    return `it holds Harbor tasks: vf eval harbor --taskset.path ${path}`;
  const index = ['index.ts', 'index.mts', 'index.js', 'index.mjs'].find((name) =>
    existsSync(join(folder, name)),
  );
  return index === undefined
    ? `give the path of a module whose default export is a ${kind}`
    : `name the file in it: ${path.replace(/\/+$/, '')}/${index}`;
}

/** Is it a task, or are tasks in it or in its `tasks`? */
function holdsHarborTasks(folder: string): boolean {
  const folders = [folder, join(folder, 'tasks')].filter((place) => existsSync(place));
  const places = [folder, ...folders.flatMap((place) => childrenOf(place))];
  return places.some((place) => existsSync(join(place, harborFile)));
}

function childrenOf(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
