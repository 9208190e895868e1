import type { ComposeSet, WantedBox } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import type { NamedImage } from '../image/architecture.ts';
import type { ComposeModel } from './model.ts';
import { reachesOut } from './reaches-out.ts';
import { listed, readSet } from './read-set.ts';

/** Compose programs at once. */
const atOnce = 4;

/**
 * Would each set be played? Nothing is started.
 * @returns images that their services name
 * @throws VfError misfit/plan with what is wrong with all of them
 */
export async function checkSets(
  engine: Engine,
  specs: readonly WantedBox<Config>[],
  config: Config,
  signal: AbortSignal,
): Promise<readonly NamedImage[]> {
  const sets = specs.filter(({ compose }) => compose !== undefined);
  const checked: (readonly NamedImage[] | VfError)[] = [];
  for (let i = 0; i < sets.length; i += atOnce) {
    signal.throwIfAborted();
    const some = sets.slice(i, i + atOnce).map((spec) => checkSet(engine, spec, config, signal));
    checked.push(...(await Promise.all(some)));
  }
  const refused = checked.filter(VfError.isInstance);
  const [first] = refused;
  if (first === undefined) return checked.flatMap((one) => (VfError.isInstance(one) ? [] : one));
  if (refused.length === 1) throw first;
  throw new VfError('misfit/plan', `compose files of ${refused.length} tasks cannot be played`, {
    retryable: false,
    problems: refused.map(({ message }) => ({ message })),
    ...(first.hint === null ? {} : { hint: first.hint }),
  });
}

/** @returns its images, or why it is not played */
async function checkSet(
  engine: Engine,
  { compose, build, image }: WantedBox<Config>,
  config: Config,
  signal: AbortSignal,
): Promise<readonly NamedImage[] | VfError> {
  if (compose === undefined) return [];
  const named = image ?? config.image;
  const main = build !== undefined ? { build } : named === undefined ? {} : { image: named };
  try {
    const read = await readSet(engine, compose, main, signal);
    return reachesOut(compose, read, engine, config) ?? namedImages(read.model, compose);
  } catch (error) {
    if (VfError.isInstance(error) && error.code === 'misfit/plan') return error;
    throw error;
  }
}

/** Those that are pulled: what one service builds, others only share. */
function namedImages({ services }: ComposeModel, set: ComposeSet): NamedImage[] {
  const all = Object.entries(services);
  const built = new Set(all.flatMap(([, { build, image }]) => (build === undefined ? [] : image)));
  return all.flatMap(([service, { image, build, platform }]) => {
    if (image === undefined || build !== undefined || built.has(image)) return [];
    const whose = `service ${service} in ${listed(set)}`;
    return [{ image, whose, ...(platform === undefined ? {} : { platform }) }];
  });
}
