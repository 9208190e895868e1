import { VfError } from '@vf/core/errors';
import type { Engine } from '../engine/engine.ts';
import { engineError, isEngineGone, wordsOf } from '../engine/engine-error.ts';
import { unlessAborted } from './unless-aborted.ts';
import { atMost } from './at-most.ts';
import { follow } from './follow.ts';
import { hasImage } from './has-image.ts';
import { registryLogin } from './registry-login.ts';

export type PullPolicy = 'missing' | 'always' | 'never';

const pulling = new Map<string, Promise<string>>();

/** Registries count requests, and disks have one head. */
const inTurn = atMost(3);

/**
 * The image's own name once the engine has it; asked for at the registry by one caller for all.
 * @throws VfError runtime/image_not_found, runtime/boot_failed, runtime/disk_full, runtime/engine_gone
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
    throw new VfError('runtime/image_not_found', `the engine has no image ${image}`, {
      hint: `docker pull ${image}, or --runtime.pull missing`,
      retryable: false,
    });
  }
  try {
    const authconfig = await registryLogin(image);
    const options = authconfig === null ? {} : { authconfig };
    await inTurn(async () => {
      const stream = await engine.docker.pull(withTag(image), options);
      await follow(engine.docker, stream);
    });
    return image;
  } catch (error) {
    throw pullError(image, error);
  }
}

/** Without one the engine would pull every tag. */
function withTag(image: string): string {
  return /[:@][^/]+$/.test(image) ? image : `${image}:latest`;
}

const fatal = /manifest unknown|not found|denied|unauthorized|invalid reference|no such/i;

function pullError(image: string, error: unknown): VfError {
  const words = wordsOf(error);
  const message = `image ${image} cannot be pulled: ${words}`;
  if (isEngineGone(error)) return engineError(error, 'runtime/boot_failed', `image ${image}`);
  if (/no space left/i.test(words)) {
    return new VfError('runtime/disk_full', message, {
      cause: error,
      retryable: false,
      hint: 'the disk of the engine is full: docker system df, docker system prune',
    });
  }
  // A registry that is busy or away may answer the next time.
  if (!fatal.test(words)) return new VfError('runtime/boot_failed', message, { cause: error });
  return new VfError('runtime/image_not_found', message, {
    cause: error,
    retryable: false,
    hint: 'see that its name is right; for a private one: docker login',
  });
}
