import type { Box, BoxSpec, ComposeSet } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { toolboxDir } from '@vf/runtime-kit';
import type Docker from 'dockerode';
import { createSet } from '../compose/create-set.ts';
import { requireServices } from '../compose/ended-services.ts';
import type { Config } from '../config.ts';
import { filledConfig } from '../config.ts';
import { createContainer } from '../engine/create-container.ts';
import type { Engine } from '../engine/engine.ts';
import { engineAt } from '../engine/engine.ts';
import { engineError, statusOf, wordsOf } from '../engine/engine-error.ts';
import { builtImage } from '../image/build.ts';
import { pulledImage } from '../image/pull.ts';
import { makingAt } from '../leftovers/exit-hook.ts';
import { toDockerLabels } from '../leftovers/labels.ts';
import { removeContainer } from '../leftovers/remove.ts';
import { containerOptions } from './container-options.ts';
import { isUnseen } from '../toolbox/unseen-files.ts';
import { furnish } from './furnish.ts';

/** @throws VfError misfit/plan for what cannot be played or no image; as builds, pulls and starts do */
export async function createBox(spec: BoxSpec<Config>, signal: AbortSignal): Promise<Box> {
  signal.throwIfAborted();
  const config = filledConfig(spec.config);
  const engine = engineAt(config.host);
  try {
    await engine.connect();
    return await boxOf(engine, spec, config, signal).catch((error: unknown) => {
      if (!isUnseen(engine, error)) throw error;
      return boxOf(engine, spec, config, signal);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw engineError(error, 'runtime/boot_failed', 'no box could be made');
  }
}

function boxOf(
  engine: Engine,
  spec: BoxSpec<Config>,
  config: Config,
  signal: AbortSignal,
): Promise<Box> {
  return spec.compose === undefined
    ? boxAlone(engine, spec, config, signal)
    : boxOfSet(engine, spec.compose, spec, config, signal);
}

async function boxAlone(
  engine: Engine,
  spec: BoxSpec<Config>,
  config: Config,
  signal: AbortSignal,
): Promise<Box> {
  const image = await imageOf(engine, spec, config, signal);
  const about = await engine.docker.getImage(image).inspect();
  const options = await containerOptions(engine, image, spec, config);
  signal.throwIfAborted();
  // Runs to its end whatever is aborted: a container that we know nothing of would stay.
  const labels = toDockerLabels(spec.labels, 'box');
  const made = makingAt(engine.address);
  let container: Docker.Container | null = null;
  try {
    container = await createContainer(engine, { ...options, Labels: labels }, spec.warn);
    signal.throwIfAborted();
    await container.start().catch((error: unknown) => {
      throw startError(error, image, about.Architecture);
    });
    signal.throwIfAborted();
    const workdir = about.Config.WorkingDir;
    const given = { engine, container, workdir, project: null, about, image };
    return await furnish({ ...given, spec, config, signal });
  } catch (error) {
    if (container !== null) await removeContainer(container);
    throw error;
  } finally {
    made();
  }
}

/** A processor that is not the engine's shows when the first program starts. */
function startError(error: unknown, image: string, arch: string): unknown {
  if (!/exec format error/.test(wordsOf(error))) {
    // What it says of the toolbox's folder is looked at as it is.
    if (statusOf(error) === null || wordsOf(error).includes(toolboxDir())) return error;
    return engineError(error, 'runtime/boot_failed', `no box of image ${image} could be started`);
  }
  const message = `image ${image} is for ${arch}, which the engine does not run`;
  return new VfError('runtime/boot_failed', message, { cause: error, retryable: false });
}

async function boxOfSet(
  engine: Engine,
  set: ComposeSet,
  spec: BoxSpec<Config>,
  config: Config,
  signal: AbortSignal,
): Promise<Box> {
  const {
    project,
    main: container,
    mainImage: image,
  } = await createSet(engine, set, spec, config, signal);
  try {
    const about = await engine.docker.getImage(image).inspect();
    const { Config: own } = await container.inspect();
    const given = { engine, container, workdir: own.WorkingDir, project, about, image };
    const box = await furnish({ ...given, spec, config, signal });
    await requireServices(project, 'runtime/boot_failed').catch(async (error: unknown) => {
      await box.stop();
      throw error;
    });
    return box;
  } catch (error) {
    await project.remove();
    throw error;
  }
}

async function imageOf(
  engine: Engine,
  { build, image }: BoxSpec<Config>,
  config: Config,
  signal: AbortSignal,
): Promise<string> {
  if (build !== undefined) return builtImage(engine, build, signal);
  const wanted = image ?? config.image;
  if (wanted !== undefined) return pulledImage(engine, wanted, config.pull, signal);
  throw new VfError('misfit/plan', 'the task names no image, and runtime docker has no default', {
    hint: '--runtime.image debian:bookworm',
    retryable: false,
  });
}
