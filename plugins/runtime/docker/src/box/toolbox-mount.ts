import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolboxDir } from '@vf/runtime-kit';
import type Docker from 'dockerode';
import type { Engine } from '../engine/engine.ts';

/** Where a box sees the toolbox of this machine. */
export const toolboxInBox = '/opt/vf/toolbox';

const markerName = '.machine';

/** By its content a box shows that what it sees is really ours: an engine elsewhere has a folder of its own there. */
export const toolboxMarker = `${toolboxInBox}/${markerName}`;

/** Read-only: what is installed once is for every box. Nothing is mounted from an engine that is not on this machine. */
export async function toolboxMounts(engine: Engine): Promise<Docker.MountConfig> {
  if (!engine.local) return [];
  await machineOf(toolboxDir());
  return [{ Type: 'bind', Source: toolboxDir(), Target: toolboxInBox, ReadOnly: true }];
}

/** Names the toolbox folder of this machine. */
export async function machineOf(folder: string): Promise<string> {
  const path = join(folder, markerName);
  await mkdir(folder, { recursive: true });
  await writeFile(path, randomUUID(), { flag: 'wx' }).catch(() => {});
  return readFile(path, 'utf8');
}
