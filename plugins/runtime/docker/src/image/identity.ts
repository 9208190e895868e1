import type { ImageIdentity, WantedBox } from '@vf/core';
import { identitiesOfSet } from '../compose/identities-of-set.ts';
import type { ComposeModel } from '../compose/model.ts';
import { readSet } from '../compose/read-set.ts';
import type { Config } from '../config.ts';
import { filledConfig } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { engineAt } from '../engine/engine.ts';
import { atMost } from './at-most.ts';
import { builtName } from './build.ts';
import { imageInfo } from './has-image.ts';
import { oncePer } from './once-per.ts';

/** Programs of compose at once. */
const inTurn = atMost(4);

/**
 * What the engine has under the names of images, and the content of folders that are built, those of compose services too;
 * nothing is pulled or built.
 * @throws VfError misfit/plan for compose files that are no set
 */
export async function identities(
  specs: readonly WantedBox<Config>[],
  signal: AbortSignal,
): Promise<readonly (readonly ImageIdentity[])[]> {
  const [first] = specs;
  if (first === undefined) return [];
  const engine = engineAt(filledConfig(first.config).host);
  await engine.connect();
  const digests = oncePer<string | null>();
  const digest = (name: string): Promise<string | null> =>
    digests(name, () => digestOf(engine, name));
  const sets = await Promise.all(specs.map((spec) => inTurn(() => setOf(engine, spec, signal))));
  const found: (readonly ImageIdentity[])[] = [];
  for (const [index, { config, build, image = config.image }] of specs.entries()) {
    signal.throwIfAborted();
    const set = sets[index] ?? null;
    const beside = set === null ? [] : await identitiesOfSet(set, digest);
    if (build !== undefined)
      found.push([{ name: null, digest: await builtName(build) }, ...beside]);
    else if (image === undefined) found.push(beside);
    else found.push([{ name: image, digest: await digest(image) }, ...beside]);
  }
  return found;
}

async function setOf(
  engine: Engine,
  { compose, build, image, config }: WantedBox<Config>,
  signal: AbortSignal,
): Promise<ComposeModel | null> {
  if (compose === undefined) return null;
  const named = image ?? config.image;
  const main = build !== undefined ? { build } : named === undefined ? {} : { image: named };
  return (await readSet(engine, compose, main, signal)).model;
}

/** The registry's for one that came from there, which is the same on every machine; else the engine's own id. */
async function digestOf(engine: Engine, image: string): Promise<string | null> {
  const info = await imageInfo(engine, image);
  if (info === null) return null;
  const [pulled] = info.RepoDigests ?? [];
  return pulled?.slice(pulled.indexOf('@') + 1) ?? info.Id;
}
