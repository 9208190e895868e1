import type { WantedBox } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { checkSets } from './compose/check-sets.ts';
import { requireClosable } from './compose/closable.ts';
import { composeProgram } from './compose/program.ts';
import type { Config } from './config.ts';
import { filledConfig } from './config.ts';
import { aboutEngine } from './engine/about.ts';
import { checkOptions } from './engine/check-options.ts';
import { checkResources } from './engine/check-resources.ts';
import type { Engine } from './engine/engine.ts';
import { engineAt } from './engine/engine.ts';
import { unkeptLimits } from './engine/kept-limits.ts';
import { checkArchitectures } from './image/architecture.ts';
import { imageForms, isImageName } from './image/reference.ts';
import { builderFor, dockerfileOf } from './image/builder.ts';

/**
 * Is there an engine, compose for those that need it, a builder for each Dockerfile, do images fit its processor, and are
 * there the cores that tasks ask for?
 * Nothing is built or pulled.
 * @throws VfError runtime/engine_gone, misfit/plan with all problems at once
 */
export async function check(
  specs: readonly WantedBox<Config>[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [first] = specs;
  if (first === undefined) return [];
  const config = filledConfig(first.config);
  const engine = engineAt(config.host);
  await aboutEngine(engine);
  refuseOddImages(specs);
  if (specs.some(({ compose }) => compose === undefined)) await checkOptions(engine, config);
  const hasSets = specs.some(({ compose }) => compose !== undefined);
  if (hasSets) await composeProgram();
  if (specs.some(isClosedSet)) await requireClosable(engine);
  const services = hasSets ? await checkSets(engine, specs, config, signal) : null;
  await checkBuilders(engine, specs, signal);
  const ofBoxes = specs.flatMap(({ build, compose, image = config.image }) =>
    build !== undefined || compose !== undefined || image === undefined ? [] : [{ image }],
  );
  const notes = await checkArchitectures(engine, [...ofBoxes, ...(services?.images ?? [])]);
  const large = await checkResources(engine, specs, services?.cores ?? [], config);
  return [...notes, ...large, ...(await unkeptLimits(engine))];
}

/** @throws VfError misfit/plan with the tasks whose image no engine would take */
function refuseOddImages(specs: readonly WantedBox<Config>[]): void {
  const problems = specs.flatMap(({ image, build, task }) => {
    if (image === undefined || build !== undefined || isImageName(image)) return [];
    const whose = task === undefined ? '' : `task ${task}: `;
    return [{ message: `${whose}image ${JSON.stringify(image)} is no name of an image` }];
  });
  const [first] = problems;
  if (first === undefined) return;
  const message =
    problems.length === 1 ? first.message : `images of ${problems.length} tasks have no such names`;
  throw new VfError('misfit/plan', message, {
    retryable: false,
    ...(problems.length === 1 ? {} : { problems }),
    hint: imageForms,
  });
}

function isClosedSet({ compose, network }: WantedBox<Config>): boolean {
  return compose !== undefined && (network?.mode ?? 'public') !== 'public';
}

async function checkBuilders(
  engine: Engine,
  specs: readonly WantedBox<Config>[],
  signal: AbortSignal,
): Promise<void> {
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
