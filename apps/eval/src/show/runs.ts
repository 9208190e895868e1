import { listRuns, readPlan } from '@vf/store';
import type { RunRef } from '@vf/store';
import { formatAge, formatCount, formatScore } from '../screen/format.ts';
import { alignRows } from '../screen/table.ts';
import { aboutOf } from './load-summary.ts';

/** A run as the list shows it. */
export interface RunRow {
  readonly run: string;
  readonly id: string;
  readonly dir: string;
  readonly taskset: string;
  readonly models: readonly string[];
  readonly harnesses: readonly string[];
  readonly status: string;
  readonly done: number;
  readonly planned: number | null;
  readonly reward: number | null;
  /** Unix seconds. */
  readonly started: number;
}

/** The runs of an output folder, newest first. */
export async function runRows(outputDir: string): Promise<RunRow[]> {
  const runs = await listRuns(outputDir);
  return Promise.all(runs.map(rowOf));
}

async function rowOf({ dir, id, name, status, started, counts }: RunRef): Promise<RunRow> {
  const { taskset, models, harnesses, planned } = aboutOf(await readPlan(dir), dir);
  return {
    run: name ?? id,
    id,
    dir,
    taskset,
    models,
    harnesses: harnesses.map(({ id: harness, version }) =>
      version === null ? harness : `${harness} ${version}`,
    ),
    status,
    done: counts.done,
    planned: counts.planned ?? planned.rollouts,
    reward: counts.reward,
    started,
  };
}

/** @param now Unix seconds */
export function runsText(rows: readonly RunRow[], now: number): string {
  const head = ['RUN', 'TASKSET', 'MODEL', 'HARNESS', 'STATUS', 'DONE', 'REWARD', 'AGE'];
  const cells = rows.map(({ run, taskset, models, harnesses, status, done, planned, ...row }) => [
    run,
    taskset,
    models.join(', '),
    harnesses.join(', '),
    status,
    planned === null ? formatCount(done) : `${formatCount(done)}/${formatCount(planned)}`,
    formatScore(row.reward),
    formatAge(now - row.started),
  ]);
  return alignRows([head, ...cells], new Set([5, 6, 7])).join('\n');
}
