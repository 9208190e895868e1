import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact, Box } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { waitUntilHealthy } from '../box/healthcheck.ts';
import type { StepVerifier, TaskStep } from '../folder/harbor-task.ts';
import { environment, taskOf } from '../play/play.ts';
import type { Ctx } from '../play/play.ts';
import { makeLogFolders } from '../play/begin.ts';
import { plainArtifact, resourcesOf } from '../row.ts';
import { removeExcluded } from './exclude.ts';

/** Where an artifact may not be put: it would be taken for the tests. */
const guarded = ['/tests', '/logs/verifier'];
const mostFileBytes = 256 * 1024 * 1024;

/** A machine for the tests alone, with the step's artifacts at the places where the agent left them. */
export async function openVerifierBox(
  ctx: Ctx,
  step: TaskStep,
  { image, machine }: NonNullable<StepVerifier['separate']>,
): Promise<Box> {
  const { signal } = ctx;
  const { config } = await taskOf(ctx);
  const ownTable =
    config.verifier.environment === undefined ? 'environment' : 'verifier.environment';
  const box = await ctx.openBox({
    ...image,
    ...(machine.workdir === undefined ? {} : { workdir: machine.workdir }),
    env: environment(ctx, machine.env, `${ownTable}.env`),
    resources: resourcesOf(machine),
    network: step.verifier.network,
  });
  await makeLogFolders({ runtime: box, signal });
  const artifacts = ['/logs/artifacts', ...step.artifacts].map(plainArtifact);
  for (const artifact of artifacts) await carry(artifact, ctx, box);
  if (machine.healthcheck !== undefined)
    await waitUntilHealthy(box, machine.healthcheck, { user: null, signal });
  return box;
}

/** Copies one artifact over; one that is not there is left out. The agent's own programs have no say in the copy. */
async function carry(artifact: Artifact, ctx: Ctx, box: Box): Promise<void> {
  const { runtime, signal, log } = ctx;
  const { source } = artifact;
  if (guarded.some((path) => source === path || source.startsWith(`${path}/`)))
    throw new VfError(
      'taskset/hook_failed',
      `artifact ${source} would pass for a part of the tests`,
    );
  const kind = await kindOf(ctx, source);
  if (kind === 'file') {
    const content = await runtime.read(source, { maxBytes: mostFileBytes, signal });
    await box.write(source, content, { signal });
  } else if (kind === 'folder') await carryFolder(artifact, ctx, box);
  else log.warn('an artifact is not there', { source });
}

async function kindOf({ runtime, signal }: Ctx, path: string): Promise<'file' | 'folder' | null> {
  const is = async (flag: string) =>
    (await runtime.run(['test', flag, path], { user: 0, signal })).exitCode === 0;
  if (await is('-d')) return 'folder';
  return (await is('-f')) ? 'file' : null;
}

async function carryFolder({ source, exclude = [] }: Artifact, ctx: Ctx, box: Box): Promise<void> {
  const { runtime, signal } = ctx;
  const folder = await mkdtemp(join(tmpdir(), 'vf-artifact-'));
  try {
    await runtime.download(source, folder, signal);
    await removeExcluded(folder, exclude);
    await box.upload(folder, source, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
