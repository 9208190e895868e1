import { VfError } from '@vf/core/errors';
import type { Engine } from '../engine/engine.ts';
import { engineError, wordsOf } from '../engine/engine-error.ts';
import { unlessAborted } from './unless-aborted.ts';
import { follow } from './follow.ts';
import { hasImage } from './has-image.ts';

export type PullPolicy = 'missing' | 'always' | 'never';

const pulling = new Map<string, Promise<string>>();

/**
 * The image's own name once the engine has it; asked for at the registry by one caller for all.
 * @throws VfError runtime/boot_failed
 */
export async function pulledImage(
  engine: Engine,
  image: string,
  policy: PullPolicy,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const key = `${engine.address} ${image}`;
  let pull = pulling.get(key);
  if (pull === undefined) {
    pull = present(engine, image, policy);
    pulling.set(key, pull);
    const forget = (): void => void pulling.delete(key);
    // What failed may be tried again; what is there stays there, but for a hand that removes it.
    pull.then(policy === 'always' ? () => {} : forget, forget);
  }
  return unlessAborted(pull, signal);
}

async function present(engine: Engine, image: string, policy: PullPolicy): Promise<string> {
  if (policy !== 'always' && (await hasImage(engine, image))) return image;
  if (policy === 'never') {
    throw new VfError('runtime/boot_failed', `the engine has no image ${image}`, {
      hint: `docker pull ${image}, or --runtime.pull missing`,
      retryable: false,
    });
  }
  try {
    const stream = await engine.docker.pull(withTag(image));
    await follow(engine.docker, stream);
    return image;
  } catch (error) {
    throw pullError(image, error);
  }
}

/** Without one the engine would pull every tag. */
function withTag(image: string): string {
  return /[:@][^/]+$/.test(image) ? image : `${image}:latest`;
}

function pullError(image: string, error: unknown): VfError {
  const words = wordsOf(error);
  const fatal = /manifest unknown|not found|denied|unauthorized|invalid reference|no such/i;
  if (!fatal.test(words)) return engineError(error, 'runtime/boot_failed', `image ${image}`);
  return new VfError('runtime/boot_failed', `image ${image} cannot be pulled: ${words}`, {
    cause: error,
    retryable: false,
    hint: 'see that its name is right; for a private one: docker login',
  });
}
