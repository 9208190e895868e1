import type Docker from 'dockerode';
import { statusOf } from '../engine/engine-error.ts';
import { projectLabel } from './labels.ts';
import { removeContainer } from './remove.ts';

const rounds = 5;

/**
 * Removes all containers, networks and volumes of a compose project; those that are gone are fine. Looks again, since
 * the engine may still be making what was asked for before.
 */
export async function removeProject(docker: Docker, project: string): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    if ((await removeOnce(docker, project)) === 0) return;
  }
}

/** @returns how many things there were */
async function removeOnce(docker: Docker, project: string): Promise<number> {
  const filters = { label: [`${projectLabel}=${project}`] };
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  await Promise.all(containers.map(({ Id }) => removeContainer(docker.getContainer(Id))));
  await Promise.all([
    ...networks.map(({ Id }) => unlessGone(docker.getNetwork(Id).remove())),
    ...volumes.map(({ Name }) => unlessGone(docker.getVolume(Name).remove())),
  ]);
  return containers.length + networks.length + volumes.length;
}

/** 403 and 409: something that is being made uses it; the next round finds that. */
async function unlessGone(removing: Promise<unknown>): Promise<void> {
  try {
    await removing;
  } catch (error) {
    if (![403, 404, 409].includes(statusOf(error) ?? 0)) throw error;
  }
}
