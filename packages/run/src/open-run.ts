import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { stringify } from 'smol-toml';
import { VfError, familyOf, isInfrastructure } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { RunWriter, readIndex, readPlan } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import type { ResolvedConfig } from './config/resolve-config.ts';
import { aboutOf } from './plan/about.ts';
import { isBuildOf } from './plan/check-boxes.ts';
import { differences, measuredValues } from './plan/measured.ts';
import { playedByParent } from './plan/parent-plan.ts';
import { parsePlanRecord, planRecord, tasksOf } from './plan/plan-record.ts';
import type { PlanRecord } from './plan/plan-record.ts';
import { scorerDifferences } from './plan/scorer-differences.ts';
import { scorersOf } from './plan/scorers.ts';
import type { RunPlan } from './plan/run-plan.ts';
import { newRunId } from './play/run-folder-name.ts';
import type { Secrets } from './secrets.ts';

export interface OpenedRun {
  readonly run: { readonly id: string; readonly name?: string };
  readonly writer: RunWriter;
  /** Episodes that stay as they are. */
  readonly done: readonly IndexEntry[];
  /** What all stored episodes used: dollars as far as they are known, and tokens. */
  readonly spent: { readonly cost: number; readonly tokens: number };
}

export interface OpenOptions {
  readonly plan: RunPlan;
  readonly resolved: ResolvedConfig;
  readonly secrets: Secrets;
  /** Of vf itself. */
  readonly version: string;
  readonly cwd: string;
  /** Families whose failures are played again too: harness, taskset, scoring. */
  readonly include: readonly string[];
  /** Reads every stored episode, so that a line damaged in the middle is found. Default: false. */
  readonly isThorough?: boolean;
  /** Folder of the run whose traces this one scores again. */
  readonly parentDir?: string;
}

/** Starts a run in a folder of its own, or under its name. @throws VfError store/exists, store/not_writable */
export async function createRun(options: OpenOptions): Promise<OpenedRun> {
  const { plan, resolved, secrets, version, cwd, parentDir } = options;
  const { outputDir, runName } = plan.config;
  const id = newRunId();
  const dir = runName === null ? join(outputDir, plan.folderName, id) : join(outputDir, runName);
  const sources = sourcesOf(resolved);
  const parent = parentDir === undefined ? null : basename(parentDir);
  const made = await planRecord(plan, { vf: version, id, name: runName, sources, parent }, cwd);
  const record =
    parentDir === undefined
      ? made
      : playedByParent(made, parsePlanRecord(await readPlan(parentDir), parentDir));
  const writer = await RunWriter.create({
    dir,
    runId: id,
    name: runName,
    configToml: configText(resolved, secrets),
    plan: JSON.parse(secrets.mask(JSON.stringify(record))) as unknown,
    mask: (text) => secrets.mask(text),
  });
  return { run: named(id, runName), writer, done: [], spent: { cost: 0, tokens: 0 } };
}

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
  const changed = differences(
    withoutMended(stored, plan, done),
    { measured: measuredValues(plan), tasks: tasksOf(plan), images: plan.images },
    (path) => resolved.sourceOf(path),
  );
  if (stored.attempts > plan.config.rolloutsPerExample) {
    changed.push({
      path: 'rollouts_per_example',
      message: `${stored.attempts} → ${plan.config.rolloutsPerExample}; attempts can be added, not taken away`,
    });
  }
  const scorers = scorerDifferences(stored.scorers, scorersOf(plan.episode.taskset));
  refuse(stored.run, changed, scorers, dir);
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

/** Scores of two scorers in one run could not be told apart later, so that is refused like any other measure. */
function refuse(
  { id, name: given }: PlanRecord['run'],
  changed: readonly Problem[],
  scorers: readonly Problem[],
  dir: string,
): void {
  if (changed.length + scorers.length === 0) return;
  const name = given ?? id;
  const problems = [...changed, ...scorers];
  if (scorers.length === 0 && changed.every(isOfTasks))
    throw new VfError(
      'store/other_config',
      `run ${name} measured something else; nothing was started`,
      {
        problems,
        hint: `put the tasks back as they were, or play all as they are now: vf eval @ ${join(relative('', dir) || '.', 'config.toml')} --run NEW`,
      },
    );
  if (scorers.length === 0 || changed.some(({ path }) => !path?.startsWith('hooks.rewards.')))
    throw new VfError(
      'store/other_config',
      `run ${name} measured something else; nothing was started`,
      {
        problems,
        hint: `vf resume ${name} without these goes on as it was; with them: vf eval … --run NEW`,
      },
    );
  throw new VfError(
    'store/other_config',
    `run ${name} was scored by other scorers; nothing was started`,
    {
      problems,
      hint: `vf rescore ${name} scores its traces with those of now, and the new run can be resumed; or vf eval … --run NEW`,
    },
  );
}

/** What a task or an image was is no matter of flags, and typing the same again does not bring it back. */
function isOfTasks({ path = '' }: Problem): boolean {
  return path === 'tasks' || path.startsWith('images.');
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

function configText({ tree }: ResolvedConfig, secrets: Secrets): string {
  return secrets.mask(stringify(tree));
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

/** Is there a run of this name already? */
export function namedRunDir(plan: RunPlan): string | null {
  const { outputDir, runName } = plan.config;
  const dir = runName === null ? null : join(outputDir, runName);
  return dir !== null && existsSync(join(dir, 'plan.json')) ? dir : null;
}

/** Failures that say nothing about the agent are played again; the others when their family is asked for. */
function isRerun(entry: Pick<IndexEntry, 'error'>, include: readonly string[]): boolean {
  if (entry.error === null) return false;
  const { code } = entry.error;
  return isInfrastructure(code) || code.startsWith('internal/') || include.includes(familyOf(code));
}

function named(id: string, name: string | null): OpenedRun['run'] {
  return name === null ? { id } : { id, name };
}

function sourcesOf(resolved: ResolvedConfig): Record<string, string> {
  const sources: Record<string, string> = {};
  for (const path of resolved.paths) {
    const source = resolved.sourceOf(path);
    if (source !== null) sources[path] = source;
  }
  return sources;
}
