import { rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Artifact, Box } from '@vf/core';
import { VfError } from '@vf/core/errors';

/** What became of the files that a row wants kept. */
export interface KeptArtifacts {
  /** Sources that are now below the folder, at their own paths. */
  readonly kept: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Copies files and folders of the box to `dir` on the host, each at its own path there.
 * @throws VfError taskset/hook_failed when one that is required is not there
 */
export async function keepArtifacts(
  wanted: readonly (Artifact | string)[],
  box: Box,
  dir: string,
  signal: AbortSignal,
): Promise<KeptArtifacts> {
  const kept: string[] = [];
  const missing: string[] = [];
  for (const entry of wanted) {
    const artifact = typeof entry === 'string' ? { source: entry } : entry;
    if (await keepOne(artifact, box, dir, signal)) kept.push(artifact.source);
    else missing.push(artifact.source);
  }
  return { kept, missing };
}

async function keepOne(
  { source, exclude = [], required = false }: Artifact,
  box: Box,
  dir: string,
  signal: AbortSignal,
): Promise<boolean> {
  const target = placeBelow(dir, source);
  const isFolder = (await box.run(['test', '-d', source], { signal })).exitCode === 0;
  try {
    await box.download(source, isFolder ? target : dirname(target), signal);
  } catch (error) {
    if (!VfError.isInstance(error) || error.code !== 'runtime/file_not_found') throw error;
    if (!required) return false;
    throw new VfError('taskset/hook_failed', `the artifact ${source} is not in the box`, {
      hint: 'mend the task, or leave `required` out',
    });
  }
  if (isFolder && exclude.length > 0) await removeMatches(target, exclude);
  return true;
}

/** A source's own path below `dir`; `..` does not lead out of it. */
function placeBelow(dir: string, source: string): string {
  const inside = join(sep, source);
  return join(dir, relative(sep, inside));
}

async function removeMatches(dir: string, globs: readonly string[]): Promise<void> {
  const { glob } = await import('tinyglobby');
  const matches = await glob([...globs], { cwd: dir, dot: true, onlyFiles: false, absolute: true });
  await Promise.all(matches.map((path) => rm(path, { recursive: true, force: true })));
}
