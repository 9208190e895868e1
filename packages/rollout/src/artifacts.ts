import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Artifact, Box, Log, ServiceApi, Trace } from '@vf/core';
import { VfError } from '@vf/core/errors';

/** What became of the files that a row wants kept. */
export interface KeptArtifacts {
  /** Sources that are now below the folder, at their destinations or else at their own paths. */
  readonly kept: readonly string[];
  readonly missing: readonly string[];
  /** Those whose place an earlier one has taken. */
  readonly skipped?: readonly string[];
  /** Things in those that are kept which have no place here: links out of them, pipes and devices, and why. */
  readonly leftOut?: readonly string[];
}

/** An agent may leave any number of them. */
const mostLeftOut = 20;

/**
 * Copies files and folders of the box to `dir` on the host, each at its own path there unless it names another.
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
  const skipped: string[] = [];
  const leftOut: string[] = [];
  const taken: string[] = [];
  for (const entry of wanted) {
    const artifact: Artifact = typeof entry === 'string' ? { source: entry } : entry;
    const { source, destination = source } = artifact;
    const target = placeBelow(dir, destination);
    if (taken.some((other) => overlap(other, target))) {
      skipped.push(source);
    } else if (await keepOne(artifact, box, dir, { leftOut, signal })) {
      kept.push(source);
      taken.push(target);
    } else missing.push(source);
  }
  return { kept, missing, ...notable({ skipped, leftOut }) };
}

/** Adds to a trace what was kept of its box; a source that was missing before and is there now is so no more. */
export function noteKept(trace: Trace, now: KeptArtifacts, log: Log): void {
  if (now.leftOut !== undefined)
    log.warn('of the artifacts some things were not kept', { leftOut: now.leftOut });
  const before = trace.info['artifacts'] as KeptArtifacts | undefined;
  if (before === undefined) {
    trace.info['artifacts'] = now;
    return;
  }
  const kept = [...new Set([...before.kept, ...now.kept])];
  const missing = new Set([...before.missing, ...now.missing]);
  const skipped = [...new Set([...(before.skipped ?? []), ...(now.skipped ?? [])])];
  const leftOut = [...new Set([...(before.leftOut ?? []), ...(now.leftOut ?? [])])];
  trace.info['artifacts'] = {
    kept,
    missing: [...missing].filter((source) => !kept.includes(source)),
    ...notable({ skipped, leftOut }),
  };
}

/** Lists that most rollouts have nothing in. */
function notable({
  skipped,
  leftOut,
}: Required<Pick<KeptArtifacts, 'skipped' | 'leftOut'>>): Pick<
  KeptArtifacts,
  'skipped' | 'leftOut'
> {
  return {
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(leftOut.length === 0 ? {} : { leftOut: leftOut.slice(0, mostLeftOut) }),
  };
}

/** What is kept already at its place gives way to it. */
async function keepOne(
  { source, exclude = [], required = false, destination, service }: Artifact,
  box: Box,
  dir: string,
  { leftOut, signal }: { readonly leftOut: string[]; readonly signal: AbortSignal },
): Promise<boolean> {
  const target = placeBelow(dir, destination ?? source);
  const from = await serviceOf(box, service, signal);
  const aside = join(dirname(target), `.artifact-${randomUUID()}`);
  try {
    const isFile = await isFileIn(from, source, signal);
    await from.download(source, aside, signal, {
      leftOut(_path, why) {
        if (leftOut.length < mostLeftOut) leftOut.push(why);
      },
    });
    if (!isFile && exclude.length > 0) await removeMatches(aside, exclude);
    await rm(target, { recursive: true, force: true });
    // A download keeps a file's name, which the target need not have.
    await rename(isFile ? join(aside, basename(source)) : aside, target);
    return true;
  } catch (error) {
    if (!VfError.isInstance(error) || error.code !== 'runtime/file_not_found') throw error;
    if (!required) return false;
    throw new VfError('taskset/hook_failed', `the artifact ${source} is not in the box`, {
      hint: 'mend the task, or leave `required` out',
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

type Place = Pick<ServiceApi, 'read' | 'download'>;

/** Asked by a read of nothing: no program need run there, which a service that was stopped could not. */
async function isFileIn(from: Place, source: string, signal: AbortSignal): Promise<boolean> {
  try {
    await from.read(source, { maxBytes: 0, signal });
    return true;
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    if (error.code === 'runtime/file_too_large') return true;
    if (error.code === 'runtime/file_not_found') return false;
    throw error;
  }
}

async function serviceOf(box: Box, name: string | undefined, signal: AbortSignal): Promise<Place> {
  if (name === undefined) return box;
  if (box.service !== undefined) return box.service(name, signal);
  throw noServices(name);
}

function noServices(name: string): VfError {
  return new VfError('misfit/plan', `the box has no services, so no ${name}`, {
    retryable: false,
    hint: 'give the row `compose`, and run it with --runtime docker',
  });
}

/** Is one path the other, or within it? */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}${sep}`) || b.startsWith(`${a}${sep}`);
}

/** A source's own path below `dir`; `..` does not lead out of it. */
function placeBelow(dir: string, source: string): string {
  const inside = join(sep, source);
  return join(dir, relative(sep, inside));
}

async function removeMatches(dir: string, globs: readonly string[]): Promise<void> {
  const { glob } = await import('tinyglobby');
  const matches = await glob([...globs], {
    cwd: dir,
    dot: true,
    onlyFiles: false,
    absolute: true,
    // They are the agent's.
    followSymbolicLinks: false,
  });
  await Promise.all(matches.map((path) => rm(path, { recursive: true, force: true })));
}
