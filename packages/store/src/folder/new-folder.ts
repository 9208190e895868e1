import { mkdir, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { VfError } from '@vf/core/errors';
import { errnoOf, writeError } from '../files/disk-error.ts';
import { files } from './layout.ts';

/** Makes the folder of a new run, and those above it. @throws VfError store/exists, store/not_writable */
export async function makeFolder(dir: string): Promise<void> {
  try {
    await makeAll(dirname(dir));
  } catch (error) {
    throw writeError(error, dir);
  }
  try {
    await mkdir(dir);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw writeError(error, dir);
    if (!(await isUnused(dir))) throw exists(dir);
  }
}

/** A folder with those above it. Node's own way never ends below one that refuses with ENOENT, as `/proc` does. */
async function makeAll(dir: string): Promise<void> {
  if (await isMade(dir)) return;
  await makeAll(dirname(dir));
  if (!(await isMade(dir))) await mkdir(dir);
}

/** @returns false when the folder above is not there */
async function isMade(dir: string): Promise<boolean> {
  try {
    await mkdir(dir);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return true;
    if (errnoOf(error) === 'ENOENT' && dirname(dir) !== dir) return false;
    throw error;
  }
}

/** Holds a folder no more than a start leaves that did not come to its plan? */
export async function isUnused(dir: string): Promise<boolean> {
  const ours: readonly string[] = [
    files.config,
    files.traces,
    files.index,
    files.groups,
    files.lock,
  ];
  const names = await readdir(dir).catch((error: unknown) => {
    throw errnoOf(error) === 'ENOTDIR' ? exists(dir) : writeError(error, dir);
  });
  return names.every(
    (name) => ours.includes(name) || name.startsWith(files.lock) || name.endsWith('.part'),
  );
}

/** The refusal of a folder that holds something already. */
export function exists(dir: string, cause?: unknown): VfError {
  return new VfError('store/exists', `${dir} is there already`, {
    cause,
    hint: 'name a folder that is not there yet, or an empty one; this one stays as it is',
  });
}
