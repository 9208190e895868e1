import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError, toVfError } from '@vf/core/errors';
import { cacheDir, withLock } from '@vf/runtime-kit';
import type { Engine } from '../engine/engine.ts';
import { buildError } from './build-error.ts';
import { builderFor, dockerfileOf } from './builder.ts';
import type { Context } from './context.ts';
import { contextTar, readContext } from './context.ts';
import { traceText } from './buildkit-trace.ts';
import type { Progress } from './follow.ts';
import { follow } from './follow.ts';
import { hasImage } from './has-image.ts';
import { oncePer } from './once-per.ts';
import { pullBases } from './bases.ts';
import type { Recipe } from './recipe.ts';
import { unlessAborted } from './unless-aborted.ts';

const buildOnce = oncePer<string>((error) => VfError.isInstance(error) && error.retryable);

/**
 * Name of the image of a Dockerfile; built when the engine has none of the same content. One build per content,
 * however many ask, in this process and others; a failed one is told to all who asked and not tried again in this
 * process, unless it was the engine that failed. The log stays in the cache folder.
 * @throws VfError runtime/build_failed, runtime/disk_full, runtime/engine_gone; misfit/plan for what needs BuildKit
 */
export async function builtImage(
  engine: Engine,
  build: Recipe,
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

/** The name that the image of a Dockerfile has, built or not. @throws VfError runtime/build_failed */
export async function builtName(build: Recipe): Promise<string> {
  return nameOf(await contextOf(build));
}

function nameOf({ key }: Context): string {
  return `vf-build:${key}`;
}

async function contextOf(build: Recipe): Promise<Context> {
  const dockerfile = dockerfileOf(build);
  try {
    await access(dockerfile);
    return await readContext(build);
  } catch (error) {
    const hint = 'name a folder with a Dockerfile in it';
    throw toVfError(error, 'runtime/build_failed', `no image can be built of ${dockerfile}`, hint);
  }
}

async function ensureBuilt(engine: Engine, context: Context): Promise<string> {
  const image = nameOf(context);
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
  const version = await builderFor(engine, context.recipe);
  const log: string[] = [];
  const path = join(logs, `${context.key}.log`);
  try {
    await pullBases(engine, context.recipe);
    const { args, target } = context.recipe;
    const stream = await engine.docker.buildImage(contextTar(context), {
      t: image,
      dockerfile: context.dockerfile,
      rm: true,
      forcerm: true,
      version,
      ...(args === undefined ? {} : { buildargs: { ...args } }),
      ...(target === undefined ? {} : { target }),
    });
    await follow(engine.docker, stream, (line) => void log.push(textOf(line)));
  } catch (error) {
    throw await buildError(error, context.recipe, log, path);
  } finally {
    await mkdir(logs, { recursive: true });
    await writeFile(path, log.join(''));
  }
}

function textOf({ stream, status, error, aux }: Progress): string {
  if (typeof aux === 'string') return traceText(aux);
  return stream ?? (error ?? status ?? '').concat('\n');
}
