import type { WantedBox } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { reachesOut } from './reaches-out.ts';
import { readSet } from './read-set.ts';

/** Compose programs at once. */
const atOnce = 4;

/**
 * Would each set be played? Nothing is started.
 * @throws VfError misfit/plan with what is wrong with all of them
 */
export async function checkSets(
  engine: Engine,
  specs: readonly WantedBox<Config>[],
  config: Config,
  signal: AbortSignal,
): Promise<void> {
  const sets = specs.filter(({ compose }) => compose !== undefined);
  const refused: VfError[] = [];
  for (let i = 0; i < sets.length; i += atOnce) {
    signal.throwIfAborted();
    const checked = sets
      .slice(i, i + atOnce)
      .map((spec) => problemOf(engine, spec, config, signal));
    refused.push(...(await Promise.all(checked)).filter((problem) => problem !== null));
  }
  const [first] = refused;
  if (first === undefined) return;
  if (refused.length === 1) throw first;
  throw new VfError('misfit/plan', `compose files of ${refused.length} tasks cannot be played`, {
    retryable: false,
    problems: refused.map(({ message }) => ({ message })),
    ...(first.hint === null ? {} : { hint: first.hint }),
  });
}

async function problemOf(
  engine: Engine,
  { compose, build, image }: WantedBox<Config>,
  config: Config,
  signal: AbortSignal,
): Promise<VfError | null> {
  if (compose === undefined) return null;
  const named = image ?? config.image;
  const main = build !== undefined ? { build } : named === undefined ? {} : { image: named };
  try {
    return reachesOut(compose, await readSet(engine, compose, main, signal), engine, config);
  } catch (error) {
    if (VfError.isInstance(error) && error.code === 'misfit/plan') return error;
    throw error;
  }
}
