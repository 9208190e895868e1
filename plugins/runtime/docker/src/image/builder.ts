import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { Engine } from '../engine/engine.ts';
import { aboutEngine } from '../engine/about.ts';
import type { BuildKitNeed } from './dockerfile-needs.ts';
import { needsOfBuildKit } from './dockerfile-needs.ts';
import type { Recipe } from './recipe.ts';

/** As the engine's API calls its builders: 1 is the classic one, 2 is BuildKit. */
export type BuilderVersion = '1' | '2';

/**
 * The builder for a Dockerfile: BuildKit where it is the engine's usual one or the file needs it.
 * @throws VfError misfit/plan when the file needs what the engine has not, with the line
 */
export async function builderFor(engine: Engine, recipe: Recipe): Promise<BuilderVersion> {
  const { buildKit, isPodman, api } = await aboutEngine(engine);
  if (isPodman) return '1';
  if (buildKit === 'usual') return '2';
  const file = dockerfileOf(recipe);
  const [need] = needsOfBuildKit(await readFile(file, 'utf8'));
  if (need === undefined) return '1';
  if (buildKit === 'known') return '2';
  throw noBuildKit(file, need, api);
}

/** Its absolute path. */
export function dockerfileOf({ context, dockerfile = 'Dockerfile' }: Recipe): string {
  return join(context, dockerfile);
}

function noBuildKit(file: string, { line, what }: BuildKitNeed, api: string): VfError {
  const message = `${file} line ${line} needs BuildKit (${what}); the engine has none (API ${api})`;
  return new VfError('misfit/plan', message, {
    retryable: false,
    problems: [{ file, line, message: `${what} needs BuildKit` }],
    hint: 'Docker 18.09 or newer on Linux has it; or write the line without it',
  });
}
