import type { ImageIdentity, WantedBox } from '@vf/core';
import type { Config } from '../config.ts';
import { filledConfig } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { engineAt } from '../engine/engine.ts';
import { builtName } from './build.ts';
import { imageInfo } from './has-image.ts';
import { oncePer } from './once-per.ts';

/**
 * What the engine has under the names of images, and the content of folders that are built; nothing is pulled or built.
 * Of a compose set only the image of `main` that the task names.
 */
export async function identities(
  specs: readonly WantedBox<Config>[],
  signal: AbortSignal,
): Promise<readonly (ImageIdentity | null)[]> {
  const [first] = specs;
  if (first === undefined) return [];
  const config = filledConfig(first.config);
  const engine = engineAt(config.host);
  await engine.connect();
  const digests = oncePer<string | null>();
  const found: (ImageIdentity | null)[] = [];
  for (const { build, image } of specs) {
    signal.throwIfAborted();
    const name = image ?? config.image;
    if (build !== undefined) found.push({ name: null, digest: await builtName(build) });
    else if (name === undefined) found.push(null);
    else found.push({ name, digest: await digests(name, () => digestOf(engine, name)) });
  }
  return found;
}

/** The registry's for one that came from there, which is the same on every machine; else the engine's own id. */
async function digestOf(engine: Engine, image: string): Promise<string | null> {
  const info = await imageInfo(engine, image);
  if (info === null) return null;
  const [pulled] = info.RepoDigests ?? [];
  return pulled?.slice(pulled.indexOf('@') + 1) ?? info.Id;
}
