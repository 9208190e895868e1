import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { RunWriter, readPlan } from '@vf/store';
import type { ResolvedConfig } from '../config/resolve-config.ts';
import { playedByParent } from '../plan/parent-plan.ts';
import { parsePlanRecord, planRecord } from '../plan/plan-record.ts';
import type { RunPlan } from '../plan/run-plan.ts';
import { newRunId } from '../play/run-folder-name.ts';
import { configText, named } from './opened-run.ts';
import type { OpenOptions, OpenedRun } from './opened-run.ts';

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

/** Is there a run of this name already? */
export function namedRunDir(plan: RunPlan): string | null {
  const { outputDir, runName } = plan.config;
  const dir = runName === null ? null : join(outputDir, runName);
  return dir !== null && existsSync(join(dir, 'plan.json')) ? dir : null;
}

function sourcesOf(resolved: ResolvedConfig): Record<string, string> {
  const sources: Record<string, string> = {};
  for (const path of resolved.paths) {
    const source = resolved.sourceOf(path);
    if (source !== null) sources[path] = source;
  }
  return sources;
}
