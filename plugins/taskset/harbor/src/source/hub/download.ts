import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { cacheDir, removeTree, withLock } from '@vf/runtime-kit';
import { digestOf } from '../../folder/digest.ts';
import { isFolder } from '../../folder/look.ts';
import { fillOnce } from '../fill-once.ts';
import { archiveOf } from './packages.ts';
import type { HubTask } from './packages.ts';
import type { HubReader } from './rest.ts';
import { unpack } from './unpack.ts';

const bucket = 'packages';

/**
 * The folder of a task of the hub, downloaded once per machine. Its files are checked against the digest each time, so
 * that neither a bad download nor a changed cache is played.
 * @throws VfError taskset/load_failed
 */
export async function downloaded(
  hub: HubReader,
  task: HubTask,
  signal: AbortSignal,
): Promise<string> {
  const folder = join(cacheDir(), 'harbor', 'packages', task.org, task.name, task.digest);
  await withLock(`${folder}.lock`, signal, async () => {
    if ((await isFolder(folder)) && (await digestOf(folder)) === task.digest) return;
    await removeTree(folder);
    await fetchInto(folder, hub, task, signal);
  });
  return folder;
}

function fetchInto(
  folder: string,
  hub: HubReader,
  task: HubTask,
  signal: AbortSignal,
): Promise<void> {
  return fillOnce(folder, async (part) => {
    const archive = await hub.file(bucket, await archiveOf(hub, task));
    await unpack(archive, part, `${task.org}/${task.name}`, signal);
    const digest = await digestOf(part);
    if (digest !== task.digest)
      throw new VfError(
        'taskset/load_failed',
        `${task.org}/${task.name}: its files have the digest ${digest}, the hub says ${task.digest}`,
        { hint: 'try again; if that does not help, the package is damaged' },
      );
  });
}
