import type { Leftover } from '@vf/core';
import { mayBeAlive } from '@vf/runtime-kit';
import type Docker from 'dockerode';
import { engineAt } from '../engine/engine.ts';
import { isEngineGone } from '../engine/engine-error.ts';
import { fromDockerLabels, makerOf, runLabel } from './labels.ts';
import { removeContainer } from './remove.ts';

/**
 * Removes containers whose maker, a process of this machine, is gone; on the engine that DOCKER_HOST names. Without an
 * engine there is nothing to find.
 * @param options `olderThanMs` counts from the making of the container; `dryRun` only lists
 */
export async function sweep(
  options: { readonly olderThanMs: number; readonly dryRun: boolean },
  signal: AbortSignal,
): Promise<readonly Leftover[]> {
  const { docker } = engineAt(undefined);
  const newest = Date.now() - options.olderThanMs;
  const found: Leftover[] = [];
  for (const info of await ours(docker)) {
    signal.throwIfAborted();
    if (info.Created * 1000 > newest || mayBeAlive(makerOf(info.Labels))) continue;
    if (!options.dryRun) await removeContainer(docker.getContainer(info.Id));
    if (info.Labels['vf.part'] === 'relay') continue;
    const what = `container ${info.Id.slice(0, 12)} of image ${info.Image}`;
    found.push({ what, labels: fromDockerLabels(info.Labels) });
  }
  return found;
}

async function ours(docker: Docker): Promise<readonly Docker.ContainerInfo[]> {
  try {
    return await docker.listContainers({ all: true, filters: { label: [runLabel] } });
  } catch (error) {
    if (isEngineGone(error)) return [];
    throw error;
  }
}
