import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { Config } from '../config.ts';
import { findTasks, rootOf } from '../folder/find-tasks.ts';
import { checkedOut } from './checkout.ts';
import { newestOf, parseDatasetName } from './dataset-name.ts';
import type { DatasetName } from './dataset-name.ts';
import { hubAddresses } from './hub/address.ts';
import { listedVersion, versionsOf } from './hub/datasets.ts';
import { hubTasks } from './hub/hub-tasks.ts';
import { HubReader } from './hub/rest.ts';
import { listedTasks } from './listed-tasks.ts';
import { pick, readRegistry } from './registry-file.ts';
import { parseRepository } from './repository.ts';
import { commitOf } from './resolve-ref.ts';
import type { TaskFolder } from './task-folder.ts';

/**
 * The tasks that a config names, wherever they are, else those that a package ships. What comes from elsewhere is in
 * the cache of this machine afterwards.
 * @throws VfError taskset/load_failed
 */
export async function tasksOf(
  config: Config,
  shipped: string | undefined,
  signal: AbortSignal,
): Promise<readonly TaskFolder[]> {
  refuseTwoPlaces(config);
  const { git, dataset, registry, path } = config;
  if (git !== undefined) return fromRepository(git, config, signal);
  if (dataset !== undefined) return fromRegistry(dataset, config, signal);
  if (registry !== undefined)
    throw new VfError('taskset/load_failed', `registry ${registry} holds several datasets`, {
      hint: '--taskset.dataset NAME[@VERSION]',
    });
  const isNamed = path !== undefined || config.package !== undefined;
  return findTasks(rootOf(isNamed ? config : { path: shipped }, process.cwd()));
}

function refuseTwoPlaces(config: Config): void {
  const { git, package: packed, dataset, registry, path, ref } = config;
  const wrong = (what: string, hint: string) =>
    new VfError('taskset/load_failed', `taskset harbor: ${what}`, { hint });
  if (git !== undefined && packed !== undefined)
    throw wrong('git and package name two places', 'leave one out');
  if (packed !== undefined && (dataset ?? registry) !== undefined)
    throw wrong('package and dataset name two places', 'leave one out');
  if (git !== undefined && registry !== undefined)
    throw wrong('git and registry name two places', 'with git, path names the registry.json');
  if (git === undefined && dataset !== undefined && path !== undefined)
    throw wrong('path and dataset name two places', '--taskset.registry FILE for a registry.json');
  if (git === undefined && ref !== undefined)
    throw wrong('ref is of a git repository', '--taskset.git URL');
}

async function fromRepository(
  source: string,
  { ref: given, path, dataset, tasks }: Config,
  signal: AbortSignal,
): Promise<TaskFolder[]> {
  const { url, ref, folder } = parseRepository(source);
  const commit = await commitOf(url, given ?? ref ?? 'HEAD', signal);
  const within = path ?? folder;
  if (dataset === undefined) {
    const paths = within === null ? [] : [within];
    return findTasks(join(await checkedOut({ url, commit, paths }, signal), within ?? '.'));
  }
  const file = within === null || within.endsWith('.json') ? within : `${within}/registry.json`;
  const place = file ?? 'registry.json';
  const checkout = await checkedOut({ url, commit, paths: [place] }, signal);
  const datasets = await readRegistry(join(checkout, place), signal);
  const listed = pick(datasets, parseDatasetName(dataset), `${place} of ${source}`);
  return listedTasks(listed, tasks, { url, commit }, signal);
}

async function fromRegistry(
  dataset: string,
  { registry, hubUrl, tasks }: Config,
  signal: AbortSignal,
): Promise<TaskFolder[]> {
  const name = parseDatasetName(dataset);
  if (registry !== undefined) {
    const listed = pick(await readRegistry(registry, signal), name, registry);
    return listedTasks(listed, tasks, null, signal);
  }
  const addresses = hubAddresses(hubUrl);
  if (name.name.includes('/'))
    return hubTasks(new HubReader(addresses.packages, signal), name, tasks, signal);
  const hub = new HubReader(addresses.datasets, signal);
  const listed = await listedVersion(hub, name.name, await versionOf(hub, name));
  return listedTasks(listed, tasks, null, signal);
}

async function versionOf(hub: HubReader, { name, version }: DatasetName): Promise<string> {
  if (version !== null) return version;
  const newest = newestOf(await versionsOf(hub, name));
  if (newest !== undefined) return newest;
  throw new VfError('taskset/load_failed', `${hub.url} has no dataset ${name}`, {
    hint: 'NAME[@VERSION], or org/name for a package of the hub',
  });
}
