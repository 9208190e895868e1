import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { VfError, familyOf, isInfrastructure } from '@vf/core/errors';
import { RunWriter, readIndex, readPlan } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import type { ResolvedConfig } from './config/resolve-config.ts';
import { differences, measuredValues } from './plan/measured.ts';
import { parsePlanRecord, planRecord, tasksOf } from './plan/plan-record.ts';
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
  /** The run whose traces this one scores again. */
  readonly parent?: string;
}

/** Starts a run in a folder of its own, or under its name. @throws VfError store/exists, store/not_writable */
export async function createRun(options: OpenOptions): Promise<OpenedRun> {
  const { plan, resolved, secrets, version, cwd, parent } = options;
  const { outputDir, runName } = plan.config;
  const id = newRunId();
  const dir = runName === null ? join(outputDir, plan.folderName, id) : join(outputDir, runName);
  const sources = sourcesOf(resolved);
  const record = await planRecord(
    plan,
    { vf: version, id, name: runName, sources, parent: parent ?? null },
    cwd,
  );
  const writer = await RunWriter.create({
    dir,
    runId: id,
    name: runName,
    configToml: secrets.mask(stringify(resolved.tree)),
    plan: JSON.parse(secrets.mask(JSON.stringify(record))) as unknown,
    mask: (text) => secrets.mask(text),
  });
  return { run: named(id, runName), writer, done: [], spent: { cost: 0, tokens: 0 } };
}

/**
 * Goes on with the run in `dir`.
 * @throws VfError store/other_config naming each value that would change what is measured; store/locked, store/damaged
 */
export async function resumeRun(dir: string, options: OpenOptions): Promise<OpenedRun> {
  const { plan, resolved, secrets, include } = options;
  const stored = parsePlanRecord(await readPlan(dir), dir);
  const changed = differences(
    stored,
    { measured: measuredValues(plan), tasks: tasksOf(plan), images: plan.images },
    (path) => resolved.sourceOf(path),
  );
  const name = stored.run.name ?? stored.run.id;
  if (stored.attempts > plan.config.rolloutsPerExample) {
    changed.push({
      path: 'rollouts_per_example',
      message: `${stored.attempts} → ${plan.config.rolloutsPerExample}; attempts can be added, not taken away`,
    });
  }
  if (changed.length > 0) {
    throw new VfError(
      'store/other_config',
      `run ${name} measured something else; nothing was started`,
      {
        problems: changed,
        hint: `a new name (--run …), or vf resume ${name} to go on as it was`,
      },
    );
  }
  const writer = await RunWriter.resume(dir, { mask: (text) => secrets.mask(text) });
  const planned = new Set(plan.tasks.map(({ key }) => key));
  const entries = await readIndex(dir);
  const done = entries.filter(
    (entry) =>
      planned.has(entry.task) &&
      entry.attempt <= plan.config.rolloutsPerExample &&
      !isRerun(entry, include),
  );
  return { run: named(stored.run.id, stored.run.name), writer, done, spent: spentOn(entries) };
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
