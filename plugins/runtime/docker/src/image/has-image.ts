import type { Engine } from '../engine/engine.ts';
import { engineError, statusOf } from '../engine/engine-error.ts';

/** Does the engine have the image? @throws VfError runtime/boot_failed when it does not answer */
export async function hasImage(engine: Engine, image: string): Promise<boolean> {
  try {
    await engine.docker.getImage(image).inspect();
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw engineError(error, 'runtime/boot_failed', `image ${image}`);
  }
}
