import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Ctx } from '../play/play.ts';
import type { PlainArtifact } from '../row.ts';
import { removeExcluded } from './exclude.ts';
import { serviceOf } from './service.ts';

/** Where an artifact may not be put: it would be taken for the tests. */
const guarded = ['/tests', '/logs/verifier'];
/** Of what is left out. */
const mostTold = 20;
const mostFileBytes = 256 * 1024 * 1024;

/**
 * Copies one artifact to its place in the verifier's box; one that is not there is left out. No program of the agent's
 * box has a say in the copy. Links go as they are, as they lead nowhere but in that box; pipes and devices are left out.
 */
export async function carry(artifact: PlainArtifact, ctx: Ctx, box: Box): Promise<void> {
  const { signal, log } = ctx;
  const { source, service } = artifact;
  if (guarded.some((path) => source === path || source.startsWith(`${path}/`)))
    throw new VfError(
      'taskset/hook_failed',
      `artifact ${source} would pass for a part of the tests`,
    );
  const from = await serviceOf(ctx, service);
  const content = await unlessMissing(() => from.read(source, { maxBytes: mostFileBytes, signal }));
  if (content !== null) return box.write(source, content, { signal });
  const isThere = await unlessMissing(async () => {
    await carryFolder(artifact, from, box, ctx);
    return true;
  });
  if (isThere === null) log.warn('an artifact is not there', { source, service });
}

/** null for what is not there, or is a folder where a file is wanted. */
async function unlessMissing<Value>(work: () => Promise<Value>): Promise<Value | null> {
  try {
    return await work();
  } catch (error) {
    if (VfError.isInstance(error) && error.code === 'runtime/file_not_found') return null;
    throw error;
  }
}

async function carryFolder(
  { source, exclude }: PlainArtifact,
  from: Awaited<ReturnType<typeof serviceOf>>,
  box: Box,
  { signal, log }: Pick<Ctx, 'signal' | 'log'>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vf-artifact-'));
  const leftOut: string[] = [];
  try {
    await from.download(source, folder, signal, {
      anyLink: true,
      leftOut: (_path, why) => void leftOut.push(why),
    });
    if (leftOut.length > 0)
      log.warn('the verifier gets an artifact without some of it', {
        source,
        count: leftOut.length,
        leftOut: leftOut.slice(0, mostTold),
      });
    await removeExcluded(folder, exclude);
    await box.upload(folder, source, signal, { anyLink: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
