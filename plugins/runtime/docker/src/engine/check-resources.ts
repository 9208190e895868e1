import type { Problem, WantedBox } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { limitsOf } from '../box/limits.ts';
import type { Config } from '../config.ts';
import type { Engine } from './engine.ts';
import { engineError } from './engine-error.ts';

const mebi = 1024 * 1024;
/** Tasks named in a note. */
const mostNamed = 3;

/** Who wants how many cores, in words. */
export interface AskedCores {
  readonly who: string;
  readonly cores: number;
}

/**
 * Can the engine give the cores and the memory that tasks ask for? It refuses a container with more cores than there are;
 * more memory it does not refuse, but does not have.
 * @param ofServices what compose files say themselves
 * @returns a sentence on the tasks that ask for more memory
 * @throws VfError misfit/plan with all that ask for more cores
 */
export async function checkResources(
  engine: Engine,
  specs: readonly WantedBox<Config>[],
  ofServices: readonly AskedCores[],
  config: Config,
): Promise<readonly string[]> {
  const limits = specs.map((spec) => ({ ...limitsOf(spec, config), task: spec.task ?? '' }));
  const { cores: there, memory: most } = await capacityOf(engine);
  // One in the options is told by its own name.
  const ofBoxes = config.cpu === undefined ? limits : [];
  const asked = ofBoxes.map(({ cpu = 0, task }) => ({ who: `task ${task}`, cores: cpu }));
  const tooMany = [...asked, ...ofServices].filter(({ cores }) => cores > there);
  if (tooMany.length > 0) throw tooFew(tooMany, there, engine);
  const large = limits.filter(({ memory = 0 }) => memory > most);
  if (large.length === 0) return [];
  const has = `the ${(most / 1024 / mebi).toFixed(1)} GiB that the engine has`;
  return [`${nameAll(large.map(({ task }) => task))} for more memory than ${has}`];
}

/** Of an engine; memory in bytes. */
interface Capacity {
  readonly cores: number;
  readonly memory: number;
}

async function capacityOf({ docker, address }: Engine): Promise<Capacity> {
  try {
    const info = (await docker.info()) as { readonly NCPU?: number; readonly MemTotal?: number };
    return { cores: info.NCPU ?? Infinity, memory: info.MemTotal ?? Infinity };
  } catch (error) {
    throw engineError(error, 'runtime/engine_gone', `the engine at ${address}`);
  }
}

function tooFew(asked: readonly AskedCores[], there: number, { address }: Engine): VfError {
  const has = `the engine at ${address} has ${there}`;
  const problems = asked.map(({ who, cores }): Problem => ({
    message: `${who} asks for ${cores} cores`,
  }));
  const isOne = asked.length === 1;
  const message = isOne
    ? `${problems[0]?.message}: ${has}`
    : `${asked.length} boxes ask for more cores than there are: ${has}`;
  return new VfError('misfit/plan', message, {
    retryable: false,
    ...(isOne ? {} : { problems }),
    hint: `--runtime.max_cpu ${there} gives them what there is; --select.exclude leaves tasks out`,
  });
}

function nameAll(tasks: readonly string[]): string {
  const names = tasks.slice(0, mostNamed).join(', ');
  if (tasks.length === 1) return `task ${names} asks`;
  return `${tasks.length} tasks (${names}${tasks.length > mostNamed ? ', …' : ''}) ask`;
}
