import { z } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { DatasetName } from '../dataset-name.ts';
import type { HubReader } from './rest.ts';

/** A task of the hub at one version. */
export interface HubTask {
  readonly org: string;
  readonly name: string;
  /** SHA-256 of its files, hex. */
  readonly digest: string;
}

const part = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const partName = z.string().regex(part);
const version = z.object({ id: z.string() });
const tagged = z.object({ dataset_version: version });
const edge = z.object({
  task_version: z
    .object({
      content_hash: digest,
      package: z.object({ name: partName, org: z.object({ name: partName }) }),
    })
    .nullable(),
});
const resolved = z.object({ archive_path: z.string().min(1), content_hash: digest });

const packageOf = 'package:package_id!inner(name,org:org_id!inner(name))';

/**
 * The tasks of a dataset, or the one task, that a package name means. A version is a tag (`latest` when there is none),
 * a number or `sha256:…`.
 * @throws VfError taskset/load_failed
 */
export async function tasksOfPackage(hub: HubReader, given: DatasetName): Promise<HubTask[]> {
  const { org, name, ref } = parsed(given);
  const dataset = await datasetVersion(hub, org, name, ref);
  if (dataset !== null) return tasksOfDataset(hub, dataset, `${org}/${name}@${ref}`);
  const task = await taskVersion(hub, org, name, ref);
  if (task !== null) return [{ org, name, digest: task.content_hash }];
  throw new VfError('taskset/load_failed', `${hub.url} has no package ${org}/${name}@${ref}`, {
    hint: 'org/name, with @TAG, @NUMBER or @sha256:… behind it; private packages cannot be read',
  });
}

/** Where the archive of a task is. @throws VfError taskset/load_failed */
export async function archiveOf(
  hub: HubReader,
  { org, name, digest: of }: HubTask,
): Promise<string> {
  const found = await taskVersion(hub, org, name, `sha256:${of}`);
  if (found !== null) return found.archive_path;
  throw new VfError('taskset/load_failed', `${hub.url} has no task ${org}/${name}@sha256:${of}`, {
    hint: 'the dataset names a task that is gone: name another version of it, or its other tasks by --taskset.tasks',
  });
}

function parsed({ name: full, version: given }: DatasetName) {
  const [org = '', name = '', ...more] = full.split('/');
  const ref = given ?? 'latest';
  const isGood = [org, name].every((one) => part.test(one) && !one.includes('..'));
  if (isGood && more.length === 0) return { org, name, ref };
  throw new VfError('taskset/load_failed', `${full} is no package name`, { hint: 'org/name' });
}

async function datasetVersion(
  hub: HubReader,
  org: string,
  name: string,
  ref: string,
): Promise<string | null> {
  const of = {
    'package.name': `eq.${name}`,
    'package.type': 'eq.dataset',
    'package.org.name': `eq.${org}`,
    limit: '1',
  };
  if (/^\d+$/.test(ref) || ref.startsWith('sha256:')) {
    const which: Record<string, string> = ref.startsWith('sha256:')
      ? { content_hash: `eq.${ref.slice('sha256:'.length)}` }
      : { revision: `eq.${ref}` };
    const [row] = await hub.rows('dataset_version', { select: `*,${packageOf}`, ...which, ...of });
    return row === undefined ? null : understood(version, row, hub).id;
  }
  const select = `dataset_version:dataset_version_id(*),${packageOf}`;
  const [row] = await hub.rows('dataset_version_tag', { select, tag: `eq.${ref}`, ...of });
  return row === undefined ? null : understood(tagged, row, hub).dataset_version.id;
}

async function tasksOfDataset(hub: HubReader, id: string, shown: string): Promise<HubTask[]> {
  const rows = await hub.allRows('dataset_version_task', {
    select:
      'task_version_id,task_version:task_version_id(content_hash,package:package_id(name,org:org_id(name)))',
    dataset_version_id: `eq.${id}`,
    order: 'task_version_id',
  });
  const tasks = rows.map((row) => understood(edge, row, hub).task_version);
  const hidden = tasks.filter((task) => task === null).length;
  if (hidden > 0)
    throw new VfError('taskset/load_failed', `${hidden} tasks of ${shown} are not public`, {
      hint: 'download them with Harbor’s own program, then --taskset.path FOLDER',
    });
  return tasks.flatMap((task) =>
    task === null
      ? []
      : [{ org: task.package.org.name, name: task.package.name, digest: task.content_hash }],
  );
}

async function taskVersion(hub: HubReader, org: string, name: string, ref: string) {
  const row = await hub.call('resolve_task_version', { p_org: org, p_name: name, p_ref: ref });
  return row === null ? null : understood(resolved, row, hub);
}

function understood<Value>(schema: z.ZodType<Value>, value: unknown, { url }: HubReader): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new VfError('taskset/load_failed', `${url} answers otherwise than Harbor’s hub does`, {
    problems: result.error.issues.map(({ path, message }) => ({
      path: path.map(String).join('.'),
      message,
    })),
  });
}
