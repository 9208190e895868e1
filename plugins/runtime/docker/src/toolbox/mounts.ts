import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolboxDir } from '@vf/runtime-kit';
import type Docker from 'dockerode';
import type { Engine } from '../engine/engine.ts';
import { cacheLabels, ensureVolume, toolboxVolume } from './volume.ts';

/** Where a box sees the toolbox. */
export const toolboxInBox = '/opt/vf/toolbox';

const markerName = '.machine';

/** By its content a box shows that what it sees is really ours: an engine elsewhere has a folder of its own there. */
export const toolboxMarker = `${toolboxInBox}/${markerName}`;

const unseeing = new WeakSet<Engine>();

/** Does the engine, as far as is known, see the files of this machine? */
export function seesFiles(engine: Engine): boolean {
  return engine.local && !unseeing.has(engine);
}

/** From now on the engine gets the toolbox in a volume. */
export function noteUnseeing(engine: Engine): void {
  unseeing.add(engine);
}

/** Read-only: what is installed once is for every box. The folder of this machine, or a volume of an engine elsewhere. */
export async function toolboxMount(engine: Engine): Promise<Docker.MountConfig[number]> {
  const common = { Target: toolboxInBox, ReadOnly: true };
  if (!seesFiles(engine)) {
    await ensureVolume(engine);
    const own = { NoCopy: true, Labels: cacheLabels, DriverConfig: { Name: 'local', Options: {} } };
    return { ...common, Type: 'volume', Source: toolboxVolume, VolumeOptions: own };
  }
  await machineOf(toolboxDir());
  return { ...common, Type: 'bind', Source: toolboxDir() };
}

/** Names the toolbox folder of this machine. */
export async function machineOf(folder: string): Promise<string> {
  const path = join(folder, markerName);
  await mkdir(folder, { recursive: true });
  await writeFile(path, randomUUID(), { flag: 'wx' }).catch(() => {});
  return readFile(path, 'utf8');
}
