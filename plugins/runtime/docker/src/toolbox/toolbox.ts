import { basename, posix } from 'node:path';
import type { BoxSpec, RuntimeApi } from '@vf/core';
import { toolboxDir, toolboxFolder } from '@vf/runtime-kit';
import type Docker from 'dockerode';
import type { Engine } from '../engine/engine.ts';
import { outputOf } from '../exec/execution.ts';
import { machineOf, seesFiles, toolboxInBox } from './mounts.ts';
import { UnseenFiles } from './unseen-files.ts';
import { sendToVolume } from './volume.ts';

/** A box that runs, and what it was made of. */
interface Standing {
  readonly engine: Engine;
  readonly container: Docker.Container;
  readonly image: string;
  readonly spec: Pick<BoxSpec, 'labels'>;
}

/**
 * How a box gets entries of the toolbox: from the folder of this machine that it sees, or from the volume to which they
 * are sent.
 * @throws UnseenFiles when it should see the folder and does not
 */
export async function toolboxFor(
  { engine, container, image, spec }: Standing,
  { toolboxOf }: { readonly toolboxOf: string | null },
): Promise<RuntimeApi['toolbox']> {
  const machine = await machineOf(toolboxDir());
  if (seesFiles(engine)) {
    if (toolboxOf === machine) {
      return async (entry, signal) => inBox(await toolboxFolder(entry, signal));
    }
    throw new UnseenFiles(`the engine at ${engine.address} sees other files`);
  }
  const has = async (name: string): Promise<boolean> =>
    (await outputOf(container, { argv: ['test', '-d', inBox(name)] })).exitCode === 0;
  const sender = { engine, image, machine, labels: spec.labels, has };
  return async (entry, signal) => {
    const folder = await toolboxFolder(entry, signal);
    await sendToVolume(sender, folder, signal);
    return inBox(folder);
  };
}

function inBox(folder: string): string {
  return posix.join(toolboxInBox, basename(folder));
}
