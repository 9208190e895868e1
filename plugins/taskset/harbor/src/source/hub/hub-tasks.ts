import { VfError } from '@vf/core/errors';
import { z } from '@vf/core';
import type { DatasetName } from '../dataset-name.ts';
import { remembered } from '../remembered.ts';
import { selected } from '../select.ts';
import type { TaskFolder } from '../task-folder.ts';
import { downloaded } from './download.ts';
import { tasksOfPackage } from './packages.ts';
import type { HubTask } from './packages.ts';
import type { HubReader } from './rest.ts';

/** Downloads at once. */
const width = 8;

const kept = z.array(z.object({ org: z.string(), name: z.string(), digest: z.string() }));

/** The folders of a package's tasks. @throws VfError taskset/load_failed */
export async function hubTasks(
  hub: HubReader,
  name: DatasetName,
  names: readonly string[],
  signal: AbortSignal,
): Promise<TaskFolder[]> {
  const wanted = selected(keyed(await listed(hub, name)), names);
  const found: TaskFolder[] = [];
  for (let i = 0; i < wanted.length; i += width) {
    const batch = wanted.slice(i, i + width);
    const dirs = await Promise.all(batch.map(({ task }) => downloaded(hub, task, signal)));
    found.push(...batch.map(({ key }, j) => ({ key, dir: dirs[j] ?? '' })));
  }
  if (found.length > 0) return found;
  throw new VfError('taskset/load_failed', `${name.name} of ${hub.url} holds no tasks`, {
    hint: 'name another dataset or version: --taskset.dataset ORG/NAME@VERSION',
  });
}

/** A digest or a number means the same for ever; tags move. */
async function listed(hub: HubReader, name: DatasetName): Promise<HubTask[]> {
  const ask = () => tasksOfPackage(hub, name);
  const { version } = name;
  const isFixed = version !== null && /^(?:\d+|sha256:.*)$/.test(version);
  if (!isFixed) return ask();
  return kept.parse(await remembered(`${hub.url} ${name.name}@${version}`, ask));
}

/** By their own names, with the organisation before it where two share one. */
function keyed(tasks: readonly HubTask[]) {
  return tasks
    .map((task) => {
      const isTwice = tasks.some((other) => other !== task && other.name === task.name);
      return { key: isTwice ? `${task.org}/${task.name}` : task.name, task };
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
