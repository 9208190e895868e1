import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isLive, readHeader, readIndexStream, readPlan, readSummary } from '@vf/store';
import { aboutOfRecord, storedSummary, summaryOfRecord } from '@vf/run/summary';
import type { RunAbout, RunSummary } from '@vf/run/summary';

/** A run's own summary, or, while it is under way or after it was killed, one made from its index. */
export async function loadSummary(dir: string): Promise<RunSummary> {
  const stored = await storedIfWhole(dir);
  if (stored !== null) return stored;
  const status = (await isLive(dir)) ? 'running' : 'killed';
  const plan = await readPlan(dir);
  const run = { run: nameOf(plan, dir), dir, status, ...aboutOf(plan, dir) } as const;
  return storedSummary(run, readIndexStream(dir));
}

/** A summary of before truncated rollouts were counted gets their count from the index. */
export async function withTruncated(dir: string, summary: RunSummary): Promise<RunSummary> {
  if (summary.truncated !== undefined) return summary;
  const { truncated } = await storedSummary(summary, readIndexStream(dir));
  return truncated === undefined ? summary : { ...summary, truncated };
}

/** What `vf show` calls a run: what `findRun` takes. Of the plan, which may be long, only its head is read. */
export async function runName(dir: string): Promise<string> {
  const { id, name } = await readHeader(dir);
  return name ?? id;
}

/** The run whose traces a rescore scored again; null for one that was played. */
export async function parentOf(dir: string): Promise<string | null> {
  const parent = fieldOf(await readPlan(dir), 'parent');
  return typeof parent === 'string' ? parent : null;
}

/** What a run is made of. */
export async function loadAbout(dir: string): Promise<RunAbout> {
  return aboutOf(await readPlan(dir), dir);
}

function nameOf(plan: unknown, dir: string): string {
  const run = fieldOf(plan, 'run');
  const name = fieldOf(run, 'name') ?? fieldOf(run, 'id');
  return typeof name === 'string' ? name : basename(dir);
}

function aboutOf(plan: unknown, dir: string): RunAbout {
  const tasks = Object.keys(fieldOf(plan, 'tasks') ?? {}).length;
  return (
    aboutOfRecord(plan) ?? {
      taskset: basename(dirname(dir)),
      models: [],
      harnesses: [],
      runtimes: [],
      planned: { tasks, attempts: 1, rollouts: tasks },
    }
  );
}

/** null when its process is still there, or ended without freeing the lock: then the file is of an earlier session. */
async function storedIfWhole(dir: string): Promise<RunSummary | null> {
  if (existsSync(join(dir, 'run.lock'))) return null;
  const summary = summaryOfRecord(await readSummary(dir));
  return summary === null ? null : { ...summary, dir };
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
