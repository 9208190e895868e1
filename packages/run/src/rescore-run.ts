import type { Episode } from '@vf/core';
import { rescoreTrace } from '@vf/rollout';
import type { SideModels, TaskInstance } from '@vf/rollout';
import { readEpisode, readIndex } from '@vf/store';
import type { OpenedRun } from './open/opened-run.ts';
import type { RunPlan } from './plan/run-plan.ts';
import { diskReason } from './play/disk-reason.ts';
import { exitCodeOf, gateFailure } from './play/exit-code.ts';
import type { StopReason } from './play/gate-keeper.ts';
import { maskErrors } from './play/mask-errors.ts';
import type { RunStatus } from './play/events.ts';
import type { RunResult } from './play/play-run.ts';
import { RunBook } from './play/run-book.ts';
import { schedule } from './play/schedule.ts';
import type { RunSummary } from './play/summary.ts';
import { summaryRecord } from './play/summary-record.ts';
import type { Secrets } from './secrets.ts';
import { openSideModels } from './side/open-side-models.ts';

export interface RescoreOptions {
  /** Folder of the run whose traces are scored again. */
  readonly parentDir: string;
  readonly plan: RunPlan;
  /** The new run, freshly created. */
  readonly opened: OpenedRun;
  readonly secrets: Secrets;
}

/** Episodes scored at once; scoring may wait on judges. */
const atOnce = 16;

/**
 * Scores a run's stored traces again into a new run; no agent is started, and judges are asked only what they have not
 * answered in the parent. Episodes whose agent never came to an end go over as they are.
 * A disk that takes no more stops it, as it stops a run.
 * @throws VfError store/*; cancelled when the signal fires
 */
export async function rescoreRun(
  { parentDir, plan, opened, secrets }: RescoreOptions,
  signal: AbortSignal,
): Promise<RunResult> {
  const { run, writer } = opened;
  const book = new RunBook({ plan, run, writer, done: [] });
  const tasks = new Map(plan.tasks.map((task) => [task.key, task]));
  const { rolloutsPerExample } = plan.config;
  const entries = (await readIndex(parentDir)).filter(
    ({ task, attempt }) => tasks.has(task) && attempt <= rolloutsPerExample,
  );
  const side = await openSideModels(plan, writer, { secrets, parent: parentDir });
  let reason: StopReason | null = null;
  try {
    await schedule(entries, atOnce, signal, async (entry) => {
      const task = tasks.get(entry.task);
      if (task === undefined) return;
      const stored = await readEpisode(parentDir, entry);
      const around = { plan, opened, sideModels: side.sideModels };
      const episode = await rescored(stored, task, around, signal);
      maskErrors(episode, secrets);
      await book.keep({ task, attempt: entry.attempt }, episode, signal);
    });
  } catch (error) {
    reason = diskReason(error);
  } finally {
    await side.close();
  }
  signal.throwIfAborted();
  const summaryOf = (status: RunStatus): RunSummary => {
    const figures = book.summary(status);
    const gateFailed = gateFailure(status, figures, plan.config.gate);
    return gateFailed === null ? figures : { ...figures, gateFailed };
  };
  let status: RunStatus = book.isWhole ? 'complete' : 'incomplete';
  if (reason === null)
    reason = await writer
      .writeSummary(summaryRecord(summaryOf(status)))
      .then(() => null, diskReason);
  if (reason !== null) status = 'stopped';
  const summary = summaryOf(status);
  return { status, reason, exitCode: exitCodeOf(status, summary, plan.config.gate), summary };
}

async function rescored(
  episode: Episode,
  task: TaskInstance,
  around: {
    readonly plan: RunPlan;
    readonly opened: OpenedRun;
    readonly sideModels: SideModels;
  },
  signal: AbortSignal,
): Promise<Episode> {
  const { opened, plan, sideModels } = around;
  const { run, writer } = opened;
  const { taskset, roles } = plan.episode;
  const log = writer.log(episode.id);
  for (const trace of episode.traces) {
    const isScored = trace.task.key === task.key && roles[trace.agent.name]?.scored === true;
    if (isScored) await rescoreTrace(taskset, task, trace, { log, sideModels, signal });
  }
  const ok = episode.errors.length === 0 && episode.traces.every((trace) => trace.ok);
  return { ...episode, run, ok };
}
