import { VfError } from '@vf/core/errors';
import { listRuns } from '@vf/store';
import type { RunRef } from '@vf/store';
import { formatAge, formatCount, formatScore } from '../screen/format.ts';
import { alignRows } from '../screen/table.ts';
import { loadSummary, parentOf } from './load-summary.ts';

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
  readonly unscored: number | null;
  /** The run whose traces were scored again; null for one that was played. */
  readonly parent: string | null;
  /** Unix seconds. */
  readonly started: number;
}

/** The runs of an output folder, newest first. */
export async function runRows(outputDir: string): Promise<RunRow[]> {
  const runs = await listRuns(outputDir);
  return Promise.all(runs.map(rowOf));
}

/** A folder that cannot be read is a row that says so. */
async function rowOf({ dir, id, name, started, counts }: RunRef): Promise<RunRow> {
  const about = { run: name ?? id, id, dir, started };
  try {
    const parent = await parentOf(dir);
    const { taskset, models, harnesses, status, figures, planned } = await loadSummary(dir);
    return {
      ...about,
      taskset,
      models,
      harnesses: harnesses.map((one) =>
        one.version === null ? one.id : `${one.id} ${one.version}`,
      ),
      status,
      done: figures.rollouts,
      planned: planned.rollouts,
      reward: figures.reward.mean,
      unscored: figures.unscored,
      parent,
    };
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    const unknown = {
      taskset: '',
      models: [],
      harnesses: [],
      planned: null,
      reward: null,
      unscored: null,
      parent: null,
    };
    return { ...about, ...unknown, status: error.code, done: counts.done };
  }
}

/** @param now Unix seconds */
export function runsText(rows: readonly RunRow[], now: number): string {
  const head = [
    'RUN',
    'TASKSET',
    'MODEL',
    'HARNESS',
    'STATUS',
    'DONE',
    'UNSCORED',
    'REWARD',
    'AGE',
  ];
  const hasParents = rows.some(({ parent }) => parent !== null);
  const cells = rows.map(({ run, taskset, models, harnesses, status, done, planned, ...row }) => [
    run,
    taskset,
    models.join(', '),
    harnesses.join(', '),
    status,
    planned === null ? formatCount(done) : `${formatCount(done)}/${formatCount(planned)}`,
    row.unscored === null ? '–' : formatCount(row.unscored),
    formatScore(row.reward),
    formatAge(now - row.started),
    ...(hasParents ? [row.parent ?? ''] : []),
  ]);
  const titles = hasParents ? [...head, 'RESCORED FROM'] : head;
  return alignRows([titles, ...cells], new Set([5, 6, 7, 8])).join('\n');
}
