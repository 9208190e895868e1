import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageBuild } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { cacheDir, withLock } from '@vf/runtime-kit';
import type { Engine } from '../engine/engine.ts';
import { engineError, isEngineGone, wordsOf } from '../engine/engine-error.ts';
import type { Context } from './context.ts';
import { contextTar, readContext } from './context.ts';
import { follow } from './follow.ts';
import { hasImage } from './has-image.ts';
import { oncePer } from './once-per.ts';
import { unlessAborted } from './unless-aborted.ts';

const shownLines = 20;
const buildOnce = oncePer<string>();

/**
 * Name of the image of a Dockerfile; built when the engine has none of the same content. One build per content,
 * however many ask, in this process and others; a failed one is told to all who asked and not tried again in this
 * process. The log stays in the cache folder.
 * @throws VfError runtime/boot_failed
 */
export async function builtImage(
  engine: Engine,
  build: ImageBuild,
  signal: AbortSignal,
): Promise<string> {
  const context = await contextOf(build);
  const key = `${engine.address} ${context.key}`;
  // The work outlives one who gives up: the others wait for it.
  return unlessAborted(
    buildOnce(key, () => ensureBuilt(engine, context)),
    signal,
  );
}

async function contextOf(build: ImageBuild): Promise<Context> {
  const dockerfile = join(build.context, build.dockerfile ?? 'Dockerfile');
  try {
    await access(dockerfile);
    return await readContext(build);
  } catch (error) {
    const hint = 'name a folder with a Dockerfile in it';
    throw toVfError(error, 'runtime/boot_failed', `no image can be built of ${dockerfile}`, hint);
  }
}

async function ensureBuilt(engine: Engine, context: Context): Promise<string> {
  const image = `vf-build:${context.key}`;
  if (await hasImage(engine, image)) return image;
  const logs = join(cacheDir(), 'docker', 'builds');
  const lock = join(logs, `${context.key}.lock`);
  await withLock(lock, new AbortController().signal, async () => {
    if (!(await hasImage(engine, image))) await buildImage(engine, context, image, logs);
  });
  return image;
}

async function buildImage(
  engine: Engine,
  context: Context,
  image: string,
  logs: string,
): Promise<void> {
  const log: string[] = [];
  const path = join(logs, `${context.key}.log`);
  try {
    const options = { t: image, dockerfile: context.dockerfile, rm: true, forcerm: true };
    const stream = await engine.docker.buildImage(contextTar(context), options);
    await follow(engine.docker, stream, ({ stream: text, status, error }) => {
      log.push(text ?? (error ?? status ?? '').concat('\n'));
    });
  } catch (error) {
    throw await buildError(error, context, log, path);
  } finally {
    await mkdir(logs, { recursive: true });
    await writeFile(path, log.join(''));
  }
}

async function buildError(
  error: unknown,
  { root, dockerfile }: Context,
  log: readonly string[],
  path: string,
): Promise<VfError> {
  const what = `${join(root, dockerfile)} cannot be built`;
  if (isEngineGone(error)) return engineError(error, 'runtime/boot_failed', what);
  const lines = [...log.join('').trimEnd().split('\n'), wordsOf(error)];
  const last = lines.filter((line, index) => line !== lines[index - 1]).slice(-shownLines);
  return new VfError('runtime/boot_failed', `${what}; its last lines:\n${last.join('\n')}`, {
    cause: error,
    retryable: false,
    hint: /no space left/i.test(last.join())
      ? 'the disk of the engine is full: docker system prune'
      : `the whole log: ${path}`,
  });
}
