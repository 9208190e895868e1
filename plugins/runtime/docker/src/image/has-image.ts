import type Docker from 'dockerode';
import type { Engine } from '../engine/engine.ts';
import { engineError, statusOf } from '../engine/engine-error.ts';

/** What the engine knows of an image; null when it has none. @throws VfError runtime/boot_failed when it does not answer */
export async function imageInfo(
  engine: Engine,
  image: string,
): Promise<Docker.ImageInspectInfo | null> {
  try {
    return await engine.docker.getImage(image).inspect();
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw engineError(error, 'runtime/boot_failed', `image ${image}`);
  }
}

/** Does the engine have the image? @throws VfError runtime/boot_failed when it does not answer */
export async function hasImage(engine: Engine, image: string): Promise<boolean> {
  return (await imageInfo(engine, image)) !== null;
}
