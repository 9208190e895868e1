import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { BoxSpec, ComposeSet } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { forgetAtExit, removeAtExit } from '../leftovers/exit-hook.ts';
import { toDockerLabels } from '../leftovers/labels.ts';
import { toolboxMount } from '../toolbox/mounts.ts';
import { requireClosable } from './closable.ts';
import { fitSet } from './fit-set.ts';
import { imagesOfSet } from './images-of-set.ts';
import { Project } from './project.ts';
import { reachesOut } from './reaches-out.ts';
import { listed, mainService, readSet } from './read-set.ts';
import { startSet } from './start-set.ts';

/** A set whose services are all up. */
export interface StartedSet {
  readonly project: Project;
  readonly main: Docker.Container;
  readonly mainImage: string;
}

/**
 * Starts a compose set for one box; what is aborted or fails half-way is removed again.
 * @throws VfError misfit/plan for a set that vf does not play, and as builds, pulls and starts do
 */
export async function createSet(
  engine: Engine,
  set: ComposeSet,
  spec: BoxSpec<Config>,
  config: Config,
  signal: AbortSignal,
): Promise<StartedSet> {
  const folder = dirname(set.files[0] ?? '.');
  const read = await readSet(engine, set, mainOf(spec, config), signal);
  const outside = reachesOut(set, read, engine, config);
  if (outside !== null) throw outside;
  const closed = (spec.network?.mode ?? 'public') !== 'public';
  if (closed) await requireClosable(engine);
  const images = await imagesOfSet(engine, read.model, config.pull, signal);
  const project = new Project(`vf-${randomBytes(6).toString('hex')}`, engine, spec.logDir);
  const labels = (part: 'box' | 'service'): Record<string, string> =>
    toDockerLabels(spec.labels, part);
  const { Type: type, Source: source, Target: target } = await toolboxMount(engine);
  const standing = {
    address: engine.address,
    containerIds: () => [],
    projects: () => [project.name],
  };
  removeAtExit(standing);
  try {
    const model = fitSet(read.model, {
      project: project.name,
      spec,
      config,
      images,
      labels,
      toolbox: { type, source, target },
      closed,
    });
    await startSet(project, model, folder, signal);
    const main = await project.container(mainService);
    if (main !== null) return { project, main, mainImage: images[mainService] ?? '' };
    throw new VfError('runtime/boot_failed', `${listed(set)}: ${mainService} was not started`);
  } catch (error) {
    await project.remove();
    throw error;
  } finally {
    forgetAtExit(standing);
  }
}

function mainOf(
  { image, build }: BoxSpec<Config>,
  config: Config,
): Pick<BoxSpec, 'image' | 'build'> {
  if (build !== undefined) return { build };
  const wanted = image ?? config.image;
  return wanted === undefined ? {} : { image: wanted };
}
