import type { Problem } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Config } from '../config.ts';
import type { Engine } from './engine.ts';
import { engineError, statusOf } from './engine-error.ts';

/** @throws VfError misfit/plan for options that this engine would refuse with each box, all of them */
export async function checkOptions(engine: Engine, config: Config): Promise<void> {
  const problems = [
    ...(await coreProblems(engine, config)),
    ...(await networkProblems(engine, config)),
  ];
  const [first] = problems;
  if (first === undefined) return;
  const message = problems.map((problem) => problem.message).join('; ');
  throw new VfError('misfit/plan', message, {
    retryable: false,
    ...(problems.length === 1 ? {} : { problems }),
    ...(first.hint === undefined ? {} : { hint: first.hint }),
  });
}

type Told = Problem & { readonly hint?: string };

async function coreProblems(
  { docker, address }: Engine,
  { cpu }: Config,
): Promise<readonly Told[]> {
  if (cpu === undefined) return [];
  const { NCPU } = (await docker.info()) as { readonly NCPU?: number };
  if (NCPU === undefined || cpu <= NCPU) return [];
  const message = `cpu ${cpu}: the engine at ${address} has ${NCPU} cores`;
  return [{ message, hint: `--runtime.cpu ${NCPU}` }];
}

async function networkProblems({ docker }: Engine, { network }: Config): Promise<readonly Told[]> {
  // What engines call their usual one, whatever its name.
  if (network === 'default') return [];
  try {
    await docker.getNetwork(network).inspect();
    return [];
  } catch (error) {
    if (statusOf(error) !== 404)
      throw engineError(error, 'runtime/boot_failed', `network ${network}`);
    const hint = `docker network create ${network}; docker network ls lists those that are there`;
    return [{ message: `the engine has no network ${network}`, hint }];
  }
}
