import { familyOf, isInfrastructure } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { RunWriter, readIndex, readPlan } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import type { ResolvedConfig } from '../config/resolve-config.ts';
import { aboutOf } from '../plan/about.ts';
import { isBuildOf } from '../plan/check-boxes.ts';
import { differences, measuredValues } from '../plan/measured.ts';
import { parsePlanRecord, tasksOf } from '../plan/plan-record.ts';
import type { PlanRecord } from '../plan/plan-record.ts';
import type { RunPlan } from '../plan/run-plan.ts';
import { scorerDifferences } from '../plan/scorer-differences.ts';
import { scorersOf } from '../plan/scorers.ts';
import { configText, named } from './opened-run.ts';
import type { OpenOptions, OpenedRun } from './opened-run.ts';
import { refuseOther } from './refuse-other.ts';

/**
 * Goes on with the run in `dir`; its config and plan then say what it is now.
 * @throws VfError store/other_config naming each value that would change what is measured, or who scores it;
 * store/locked, store/damaged
 */
export async function resumeRun(dir: string, options: OpenOptions): Promise<OpenedRun> {
  const { plan, resolved, secrets, include, isThorough = false } = options;
  const stored = parsePlanRecord(await readPlan(dir), dir);
  let entries = await readIndex(dir);
  let done = doneOf(entries, plan, include);
  const scorers = scorerDifferences(stored.scorers, scorersOf(plan.episode.taskset));
  refuseOther(stored.run, changedSince(stored, plan, done, resolved), scorers, dir);
  const writer = await RunWriter.resume(dir, { isThorough, mask: (text) => secrets.mask(text) });
  try {
    if (writer.repairs.length > 0) {
      entries = await readIndex(dir);
      done = doneOf(entries, plan, include);
    }
    await writer.restate(configText(resolved, secrets), {
      about: { ...stored.about, ...aboutOf(plan) },
      tasks: tasksOf(plan),
      images: withKnown(plan.images, withoutMended(stored, plan, done).images),
      attempts: plan.config.rolloutsPerExample,
    });
  } catch (error) {
    await writer.close();
    throw error;
  }
  return { run: named(stored.run.id, stored.run.name), writer, done, spent: spentOn(entries) };
}

/** Values that would change what is measured, of tasks that are not played again as a whole. */
function changedSince(
  stored: PlanRecord,
  plan: RunPlan,
  done: readonly IndexEntry[],
  resolved: ResolvedConfig,
): readonly Problem[] {
  const attempts = plan.config.rolloutsPerExample;
  const changed = differences(
    withoutMended(stored, plan, done),
    { measured: measuredValues(plan), tasks: tasksOf(plan), images: plan.images },
    (path) => resolved.sourceOf(path),
  );
  if (stored.attempts <= attempts) return changed;
  const message = `${stored.attempts} → ${attempts}; attempts can be added, not taken away`;
  return [...changed, { path: 'rollouts_per_example', message }];
}

/** What is planned and stays as it is. */
function doneOf(
  entries: readonly IndexEntry[],
  { tasks, config }: RunPlan,
  include: readonly string[],
): IndexEntry[] {
  const planned = new Set(tasks.map(({ key }) => key));
  return entries.filter(
    (entry) =>
      planned.has(entry.task) &&
      entry.attempt <= config.rolloutsPerExample &&
      !isRerun(entry, include),
  );
}

/** Failures that say nothing about the agent are played again; the others when their family is asked for. */
function isRerun(entry: Pick<IndexEntry, 'error'>, include: readonly string[]): boolean {
  if (entry.error === null) return false;
  const { code } = entry.error;
  return isInfrastructure(code) || code.startsWith('internal/') || include.includes(familyOf(code));
}

/** Of a task that is played again in all its attempts, nothing measured with what it was before is left. */
function withoutMended(
  { measured, tasks, images }: PlanRecord,
  plan: RunPlan,
  done: readonly IndexEntry[],
): Pick<PlanRecord, 'measured' | 'tasks' | 'images'> {
  const measuredTasks = new Set(done.map(({ task }) => task));
  const now = tasksOf(plan);
  const isMended = (key: string): boolean =>
    !measuredTasks.has(key) && now[key] !== undefined && now[key] !== tasks[key];
  const mended = Object.keys(tasks).filter(isMended);
  const isOfMended = (image: string): boolean => mended.some((key) => isBuildOf(image, key));
  return {
    measured,
    tasks: Object.fromEntries(Object.entries(tasks).filter(([key]) => !isMended(key))),
    images: Object.fromEntries(Object.entries(images).filter(([image]) => !isOfMended(image))),
  };
}

/** Digests that are known of before stay: images may have been pulled since. */
function withKnown(now: RunPlan['images'], before: RunPlan['images']): RunPlan['images'] {
  const known = Object.entries(before).filter(([, digest]) => digest !== null);
  return { ...now, ...Object.fromEntries(known) };
}

function spentOn(entries: readonly IndexEntry[]): OpenedRun['spent'] {
  let [cost, tokens] = [0, 0];
  for (const entry of entries) {
    cost += entry.cost ?? 0;
    tokens += entry.inputTokens + entry.outputTokens;
  }
  return { cost, tokens };
}
