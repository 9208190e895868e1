import type { BoxSpec } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { composeProgram } from './compose/program.ts';
import type { Config } from './config.ts';
import { filledConfig } from './config.ts';
import { aboutEngine } from './engine/about.ts';
import { engineAt } from './engine/engine.ts';
import { builderFor, dockerfileOf } from './image/builder.ts';

type Wanted = Pick<BoxSpec<Config>, 'config' | 'image' | 'build' | 'compose'>;

/**
 * Is there an engine, compose for those that need it, and a builder for each Dockerfile? Nothing is built or pulled.
 * @throws VfError runtime/engine_gone, misfit/plan with all problems at once
 */
export async function check(specs: readonly Wanted[], signal: AbortSignal): Promise<void> {
  const [first] = specs;
  if (first === undefined) return;
  const engine = engineAt(filledConfig(first.config).host);
  await aboutEngine(engine);
  if (specs.some(({ compose }) => compose !== undefined)) await composeProgram();
  const named = specs.flatMap(({ build }) => build ?? []);
  const builds = new Map(named.map((build) => [dockerfileOf(build), build]));
  const refused: VfError[] = [];
  for (const build of builds.values()) {
    signal.throwIfAborted();
    await builderFor(engine, build).catch((error: unknown) => {
      // One that is not there is told with the task that names it.
      if (VfError.isInstance(error)) refused.push(error);
    });
  }
  if (refused[0] === undefined) return;
  if (refused.length === 1) throw refused[0];
  const message = `${refused.length} Dockerfiles need BuildKit; the engine has none`;
  const problems = refused.flatMap((error) => error.problems);
  throw new VfError('misfit/plan', message, { retryable: false, problems });
}
