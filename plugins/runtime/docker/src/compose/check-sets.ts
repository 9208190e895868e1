import type { ComposeSet, WantedBox } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { limitsOf } from '../box/limits.ts';
import type { Config } from '../config.ts';
import type { AskedCores } from '../engine/check-resources.ts';
import type { Engine } from '../engine/engine.ts';
import type { NamedImage } from '../image/architecture.ts';
import type { ComposeModel } from './model.ts';
import { reachesOut } from './reaches-out.ts';
import { listed, mainService, readSet } from './read-set.ts';
import { coresOf, withLimits } from './service-limits.ts';

/** What the services of sets ask for. */
export interface Wishes {
  readonly images: readonly NamedImage[];
  readonly cores: readonly AskedCores[];
}

/** Compose programs at once. */
const atOnce = 4;

/**
 * Would each set be played? Nothing is started.
 * @returns what their services ask for
 * @throws VfError misfit/plan with what is wrong with all of them
 */
export async function checkSets(
  engine: Engine,
  specs: readonly WantedBox<Config>[],
  config: Config,
  signal: AbortSignal,
): Promise<Wishes> {
  const sets = specs.filter(({ compose }) => compose !== undefined);
  const checked: (Wishes | VfError)[] = [];
  for (let i = 0; i < sets.length; i += atOnce) {
    signal.throwIfAborted();
    const some = sets.slice(i, i + atOnce).map((spec) => checkSet(engine, spec, config, signal));
    checked.push(...(await Promise.all(some)));
  }
  const refused = checked.filter(VfError.isInstance);
  const [first] = refused;
  if (first === undefined) {
    const wishes = checked.flatMap((one) => (VfError.isInstance(one) ? [] : one));
    return {
      images: wishes.flatMap(({ images }) => images),
      cores: wishes.flatMap(({ cores }) => cores),
    };
  }
  if (refused.length === 1) throw first;
  throw new VfError('misfit/plan', `compose files of ${refused.length} tasks cannot be played`, {
    retryable: false,
    problems: refused.map(({ message }) => ({ message })),
    ...(first.hint === null ? {} : { hint: first.hint }),
  });
}

/** @returns what it asks for, or why it is not played */
async function checkSet(
  engine: Engine,
  { compose, build, image, resources }: WantedBox<Config>,
  config: Config,
  signal: AbortSignal,
): Promise<Wishes | VfError> {
  if (compose === undefined) return { images: [], cores: [] };
  const named = image ?? config.image;
  const main = build !== undefined ? { build } : named === undefined ? {} : { image: named };
  try {
    const read = await readSet(engine, compose, main, signal);
    return (
      reachesOut(compose, read, engine, config) ?? {
        images: namedImages(read.model, compose),
        cores: askedCores(
          read.model,
          compose,
          limitsOf(resources === undefined ? {} : { resources }, config).cpu,
          config,
        ),
      }
    );
  } catch (error) {
    if (VfError.isInstance(error) && error.code === 'misfit/plan') return error;
    throw error;
  }
}

/** Of `main` only where neither task nor options say: its box is looked at by itself. */
function askedCores(
  { services }: ComposeModel,
  set: ComposeSet,
  ofMain: number | undefined,
  config: Config,
): AskedCores[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const cores = coresOf(withLimits(service, config));
    if (cores === undefined || (name === mainService && ofMain !== undefined)) return [];
    return [{ who: `service ${name} in ${listed(set)}`, cores }];
  });
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
