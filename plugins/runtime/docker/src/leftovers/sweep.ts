import type { BoxLabels, Leftover, SweepOptions } from '@vf/core';
import { mayBeAlive } from '@vf/runtime-kit';
import type Docker from 'dockerode';
import { aboutEngine } from '../engine/about.ts';
import { engineAt } from '../engine/engine.ts';
import { isEngineGone, statusOf } from '../engine/engine-error.ts';
import { keptAmong, keptName } from './kept.ts';
import { cacheLabel, fromDockerLabels, makerOf, runLabel } from './labels.ts';
import { removeContainer } from './remove.ts';

/** Removals that an engine is asked for at the same time. */
const atOnce = 16;

/**
 * Removes containers, networks and volumes whose maker, a process of this machine, is gone; on the engine that
 * DOCKER_HOST names. Without an engine there is nothing to find.
 * With `kept` also boxes that are kept for a person, with `caches` also volumes with the toolbox that no box uses.
 */
export async function sweep(
  options: SweepOptions,
  signal: AbortSignal,
): Promise<readonly Leftover[]> {
  const engine = engineAt(undefined);
  try {
    await aboutEngine(engine);
  } catch {
    return [];
  }
  const newest = Date.now() - options.olderThanMs;
  const found: Leftover[] = [];
  const isLeft = ({ created, labels }: Thing): boolean =>
    created <= newest && !mayBeAlive(makerOf(labels));
  const lists = await Promise.all(
    [containers, networks, volumes].map((list) => thoseOf(list, engine.docker)),
  );
  const isKept = options.kept === true ? () => false : keptAmong(lists.flat());
  const left = lists.map((list) => list.filter((thing) => isLeft(thing) && !isKept(thing)));
  if (!options.dryRun) options.begun?.(left.flat().length);
  // Containers first: they hold on to the others.
  for (const list of left) {
    for (const rank of [true, false]) {
      // Relays before all else: Podman keeps a container as long as one shares its network.
      const batch = list.filter((thing) => isRelay(thing.labels) === rank);
      for (let at = 0; at < batch.length; at += atOnce) {
        signal.throwIfAborted();
        if (options.dryRun) break;
        await Promise.all(batch.slice(at, at + atOnce).map(({ remove }) => remove()));
      }
    }
    const shown = list.filter(({ labels }) => !isRelay(labels));
    found.push(...shown.map(({ what, labels }) => ({ what, labels: fromDockerLabels(labels) })));
  }
  return options.caches === true
    ? [...found, ...(await sweepCaches(engine.docker, options))]
    : found;
}

const nobody: BoxLabels = { run: '', rollout: '', host: '', pid: 0, started: 0 };

async function sweepCaches(docker: Docker, { dryRun }: SweepOptions): Promise<Leftover[]> {
  // One filter alone: Podman 4 lists what passes any of two.
  const { Volumes } = await docker.listVolumes({ filters: { dangling: ['true'] } });
  const caches = Volumes.filter(({ Labels }) => cacheLabel in (Labels ?? {}));
  if (!dryRun) {
    // A box may have come to use it meanwhile.
    const remove = (name: string): Promise<unknown> => docker.getVolume(name).remove();
    await Promise.allSettled(caches.map(({ Name }) => remove(Name)));
  }
  return caches.map(({ Name }) => ({ what: `volume ${Name}`, labels: nobody }));
}

/** Something with our labels on an engine. */
interface Thing {
  readonly what: string;
  readonly labels: Readonly<Record<string, string>>;
  /** By which a container is kept for a person. */
  readonly keptAs?: string;
  /** Unix milliseconds. */
  readonly created: number;
  remove(): Promise<unknown>;
}

const filters = { label: [runLabel] };

async function thoseOf(
  list: (docker: Docker) => Promise<readonly Thing[]>,
  docker: Docker,
): Promise<readonly Thing[]> {
  try {
    return await list(docker);
  } catch (error) {
    if (isEngineGone(error)) return [];
    throw error;
  }
}

async function containers(docker: Docker): Promise<readonly Thing[]> {
  const listed = await docker.listContainers({ all: true, filters });
  return listed.map(({ Id, Names, Image, Labels, Created }) => {
    const keptAs = keptName(Names);
    return {
      what: `${keptAs === null ? `container ${Id.slice(0, 12)}` : `kept container ${keptAs}`} of image ${Image}`,
      labels: Labels,
      ...(keptAs === null ? {} : { keptAs }),
      created: Created * 1000,
      remove: () => removeContainer(docker.getContainer(Id)),
    };
  });
}

function isRelay(labels: Thing['labels']): boolean {
  return labels['vf.part'] === 'relay';
}

async function networks(docker: Docker): Promise<readonly Thing[]> {
  const found = await docker.listNetworks({ filters });
  return found.map(({ Id, Name, Labels = {}, Created }) => ({
    what: `network ${Name}`,
    labels: Labels,
    created: Date.parse(Created),
    remove: () => docker.getNetwork(Id).remove().catch(unlessGone),
  }));
}

async function volumes(docker: Docker): Promise<readonly Thing[]> {
  const { Volumes } = await docker.listVolumes({ filters });
  return Volumes.map((volume) => ({
    what: `volume ${volume.Name}`,
    labels: volume.Labels,
    created: 'CreatedAt' in volume ? Date.parse(String(volume.CreatedAt)) : 0,
    remove: () => docker.getVolume(volume.Name).remove().catch(unlessGone),
  }));
}

function unlessGone(error: unknown): void {
  if (statusOf(error) !== 404) throw error;
}
