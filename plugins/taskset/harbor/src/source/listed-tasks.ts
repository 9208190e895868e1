import { join, resolve } from 'node:path';
import { checkedOut } from './checkout.ts';
import type { ListedDataset, ListedTask } from './registry-file.ts';
import { commitOf } from './resolve-ref.ts';
import { selected } from './select.ts';
import type { TaskFolder } from './task-folder.ts';

/** The repository that a registry lies in: tasks that name no other are in it. */
export interface Home {
  readonly url: string;
  readonly commit: string;
}

/** The folders of a dataset's tasks; those in repositories are fetched first, each repository once. */
export async function listedTasks(
  { tasks }: ListedDataset,
  names: readonly string[],
  home: Home | null,
  signal: AbortSignal,
): Promise<TaskFolder[]> {
  const wanted = selected(distinct(tasks), names);
  const byCommit = Map.groupBy(
    await Promise.all(wanted.map((task) => placed(task, home, signal))),
    ({ url, commit }) => (url === null ? null : `${url} ${commit}`),
  );
  const found: TaskFolder[] = [];
  for (const group of byCommit.values()) {
    const [{ url, commit } = { url: null, commit: '' }] = group;
    const paths = group.map(({ path }) => path);
    const folder = url === null ? null : await checkedOut({ url, commit, paths }, signal);
    for (const { key, path } of group)
      found.push({ key, dir: folder === null ? resolve(path) : join(folder, path) });
  }
  return found.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

type Keyed = ListedTask & { readonly key: string };

/** Rows that say the same count once: the older registry has such. */
function distinct(tasks: readonly ListedTask[]): Keyed[] {
  const rows = tasks.map((task) => [JSON.stringify(task), { ...task, key: task.name }] as const);
  return [...new Map(rows).values()];
}

async function placed({ key, path, ...task }: Keyed, home: Home | null, signal: AbortSignal) {
  const url = task.git_url ?? home?.url ?? null;
  if (url === null) return { key, path, url, commit: '' };
  const isHome = task.git_url == null && home !== null;
  const ref = task.git_commit_id ?? (isHome ? home.commit : 'HEAD');
  return { key, path, url, commit: await knownCommit(url, ref, signal) };
}

const asked = new Map<string, Promise<string>>();

/** One question per repository and ref, however many tasks are there. */
function knownCommit(url: string, ref: string, signal: AbortSignal): Promise<string> {
  const key = `${url} ${ref}`;
  let answer = asked.get(key);
  if (answer === undefined) {
    answer = commitOf(url, ref, signal).finally(() => asked.delete(key));
    asked.set(key, answer);
  }
  return answer;
}
