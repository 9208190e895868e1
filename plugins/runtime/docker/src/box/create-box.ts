import type { Box, BoxSpec } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Config } from '../config.ts';
import { filledConfig } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { engineAt } from '../engine/engine.ts';
import { engineError } from '../engine/engine-error.ts';
import { builtImage } from '../image/build.ts';
import { pulledImage } from '../image/pull.ts';
import { toDockerLabels } from '../leftovers/labels.ts';
import { removeContainer } from '../leftovers/remove.ts';
import { containerOptions } from './container-options.ts';
import { furnish } from './furnish.ts';

/** @throws VfError misfit/plan for a compose set or no image, runtime/boot_failed when no container can be had */
export async function createBox(spec: BoxSpec<Config>, signal: AbortSignal): Promise<Box> {
  signal.throwIfAborted();
  const config = filledConfig(spec.config);
  refuseForeign(spec);
  const engine = engineAt(config.host);
  const image = await imageOf(engine, spec, config, signal);
  try {
    const about = await engine.docker.getImage(image).inspect();
    const options = await containerOptions(engine, image, spec, config);
    signal.throwIfAborted();
    // Runs to its end whatever is aborted: a container that we know nothing of would stay.
    const container = await engine.docker.createContainer({
      ...options,
      Labels: toDockerLabels(spec.labels, 'box'),
    });
    try {
      signal.throwIfAborted();
      await container.start();
      signal.throwIfAborted();
      return await furnish({ engine, container, about, image, spec, config, signal });
    } catch (error) {
      await removeContainer(container);
      throw error;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw engineError(error, 'runtime/boot_failed', `no box of image ${image}`);
  }
}

function refuseForeign({ compose }: BoxSpec<Config>): void {
  if (compose === undefined) return;
  throw new VfError(
    'misfit/plan',
    `runtime docker plays no compose sets: ${compose.files.join(', ')}`,
    {
      hint: 'name the image or Dockerfile of the main service',
      retryable: false,
    },
  );
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
