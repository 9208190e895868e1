import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { orMissing } from '../files/disk-error.ts';
import { lineBatches } from '../files/read-lines.ts';
import { pathIn } from './layout.ts';
import { readHeader } from './plan-file.ts';
import { isLive, readSummary } from './read-files.ts';

/** A run as a list shows it. */
export interface RunRef {
  readonly dir: string;
  readonly id: string;
  readonly name: string | null;
  /** That of the summary; `running` while a process writes it, `killed` when it ended without one. */
  readonly status: string;
  /** Unix seconds. */
  readonly started: number;
  readonly counts: RunCounts;
}

export interface RunCounts {
  /** Episodes that are there. */
  readonly done: number;
  /** null: not known without reading the plan. */
  readonly planned: number | null;
  readonly scored: number | null;
  readonly unscored: number | null;
  /** Mean reward. */
  readonly reward: number | null;
}

/** Where a run lies and what it is called. */
export interface RunPlace {
  readonly dir: string;
  readonly id: string;
  readonly name: string | null;
  /** Unix seconds. */
  readonly created: number;
}

/** The runs of an output folder, newest first. Plans and traces are not read. */
export async function listRuns(outputDir: string): Promise<RunRef[]> {
  const places = await runPlaces(outputDir);
  return fewAtOnce(places, describe);
}

/**
 * Folders with a plan, one or two levels deep, newest first; a plan or a folder that cannot be read leaves its run out.
 * @throws VfError store/damaged when the output folder itself cannot be read
 */
export async function runPlaces(outputDir: string): Promise<RunPlace[]> {
  const tops = await subfolders(outputDir);
  const named = await fewAtOnce(tops, placeOf);
  const others = tops.filter((_, i) => named[i] === null);
  const below = await fewAtOnce(others, (top) => unlessDamaged(subfolders(top), []));
  const unnamed = await fewAtOnce(below.flat(), placeOf);
  return [...named, ...unnamed]
    .filter((place) => place !== null)
    .sort((a, b) => b.created - a.created);
}

/** Each may hold a file open, of which a process may have no more than the system says. */
const few = 32;

async function fewAtOnce<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let start = 0; start < all.length; start += few)
    done.push(...(await Promise.all(all.slice(start, start + few).map(work))));
  return done;
}

async function placeOf(dir: string): Promise<RunPlace | null> {
  try {
    const { id, name, created } = await readHeader(dir);
    return { dir, id, name, created };
  } catch (error) {
    if (VfError.isInstance(error)) return null;
    throw error;
  }
}

/** Links are left out: `last` is one. */
async function subfolders(dir: string): Promise<string[]> {
  const entries = (await orMissing(() => readdir(dir, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(dir, name));
}

async function describe({ dir, id, name, created }: RunPlace): Promise<RunRef> {
  const summary = new Reader(await unlessDamaged(readSummary(dir), null));
  const isRunning = await unlessDamaged(isLive(dir), false);
  const status = isRunning ? 'running' : (summary.text('status') ?? 'killed');
  const figures = summary.inner('figures');
  const counts = {
    done:
      (isRunning ? null : figures.number('rollouts')) ??
      (await unlessDamaged(countLines(pathIn(dir, 'index')), 0)),
    planned: summary.inner('planned').number('rollouts'),
    scored: figures.number('scored'),
    unscored: figures.number('unscored'),
    reward: figures.inner('reward').number('mean'),
  };
  return { dir, id, name, status, started: created, counts };
}

/** One run that cannot be read does not take the others from the list. */
async function unlessDamaged<T>(read: Promise<T>, instead: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (VfError.isInstance(error)) return instead;
    throw error;
  }
}

async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const lines of lineBatches(path)) count += lines.length;
  return count;
}

/** Takes fields out of a summary, which is not ours, as far as they are there. */
class Reader {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#fields = typeof value === 'object' && value !== null ? { ...value } : {};
  }

  inner(key: string): Reader {
    return new Reader(this.#fields[key]);
  }

  number(key: string): number | null {
    const value = this.#fields[key];
    return typeof value === 'number' ? value : null;
  }

  text(key: string): string | null {
    const value = this.#fields[key];
    return typeof value === 'string' ? value : null;
  }
}
