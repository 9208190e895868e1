import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeEpisode } from '@vf/testkit';
import type { EpisodeOptions } from '@vf/testkit';
import type { Episode } from '@vf/core';
import { RunWriter } from '../src/index.ts';
import type { NewRun } from '../src/index.ts';

/** A folder that goes with the test. */
export function outputFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vf-store-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A new named run in an output folder; closed with the test. */
export async function newRun(outputDir: string, fields: Partial<NewRun> = {}): Promise<RunWriter> {
  const name = fields.name ?? 'nightly';
  const run = { dir: join(outputDir, name), runId: 'k7fq2a', name, configToml: '', plan: {} };
  const writer = await RunWriter.create({ ...run, ...fields });
  onTestFinished(() => writer.close());
  return writer;
}

/** A finished episode of task `key`; ids differ by task and attempt. */
export function episodeOf(key: string, attempt = 1, options: EpisodeOptions = {}): Episode {
  return makeEpisode({ task: { key }, attempt, ...options, id: `rollout-${key}-${attempt}` });
}
