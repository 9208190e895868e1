import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { VfError, nearest } from '@vf/core/errors';
import { errnoOf, readError } from '../files/disk-error.ts';
import { lastRun } from './last-pointer.ts';
import { files } from './layout.ts';
import { runPlaces } from './list-runs.ts';
import type { RunPlace } from './list-runs.ts';

/**
 * The folder of a run: `last`, a path, a run name, a run id or its unique start.
 * @throws VfError usage/not_found with the nearest name, or with the runs that a short start could mean;
 * store/damaged when a folder may not be read
 */
export async function findRun(outputDir: string, ref: string): Promise<string> {
  if (ref === 'last') return (await last(outputDir)) ?? notFound(outputDir, ref, []);
  const folder = [resolve(ref), join(outputDir, ref)].find(isRunFolder);
  if (ref !== '' && folder !== undefined) return folder;
  const places = await runPlaces(outputDir);
  const exact = places.find(({ id, name }) => id === ref || name === ref);
  if (exact !== undefined) return exact.dir;
  const [match, ...others] = places.filter(({ id }) => ref !== '' && id.startsWith(ref));
  if (match === undefined) return notFound(outputDir, ref, places);
  return others.length === 0 ? match.dir : ambiguous(ref, [match, ...others]);
}

/** The run that `last` points to; the newest one when that is gone. */
async function last(outputDir: string): Promise<string | null> {
  const pointed = await lastRun(outputDir);
  if (pointed !== null && isRunFolder(pointed)) return pointed;
  return (await runPlaces(outputDir))[0]?.dir ?? null;
}

function isRunFolder(dir: string): boolean {
  try {
    return statSync(join(dir, files.plan), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (errnoOf(error) === 'EACCES') throw readError(error, dir);
    return false;
  }
}

function notFound(outputDir: string, ref: string, places: readonly RunPlace[]): never {
  if (places.length === 0 && ref === 'last') {
    throw new VfError('usage/not_found', `there is no run in ${outputDir}`, {
      hint: `vf eval starts one; ${elsewhere}`,
    });
  }
  const close = nearest(
    ref,
    places.flatMap(({ id, name }) => (name === null ? [id] : [name, id])),
  );
  const message = `no run "${ref}" in ${outputDir}`;
  throw new VfError('usage/not_found', close === null ? message : `${message}; nearest: ${close}`, {
    problems: [{ message, ...(close === null ? {} : { nearest: close }) }],
    hint: `${close === null ? 'vf show lists the runs' : `type ${close}`}; ${elsewhere}`,
  });
}

const elsewhere = '--output-dir DIR, or VF_OUTPUT_DIR, names another folder to look in';

function ambiguous(ref: string, places: readonly RunPlace[]): never {
  throw new VfError('usage/not_found', `"${ref}" is the start of ${places.length} run ids`, {
    problems: places.map(({ id, dir }) => ({ message: id, path: dir })),
    hint: `type more of it: ${places.map(({ id }) => id).join(', ')}`,
  });
}
