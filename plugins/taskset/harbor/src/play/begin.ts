import type { SetupResult } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { waitUntilHealthy } from '../box/healthcheck.ts';
import { asRoot, howItEnded } from '../box/shell.ts';
import type { TaskStep } from '../folder/harbor-task.ts';
import { isFile } from '../folder/look.ts';
import { setNetwork, stepOf, taskOf } from './play.ts';
import type { Ctx } from './play.ts';
import { skillsIn } from './skills.ts';

const logs = ['/logs/verifier', '/logs/agent', '/logs/artifacts'];

/** Makes the box ready for the agent of the first step. */
export async function setUp(ctx: Ctx): Promise<SetupResult> {
  const { runtime, signal, log } = ctx;
  const task = await taskOf(ctx);
  if (task.unknown.length > 0)
    log.warn('task.toml has keys that mean nothing to Harbor', {
      task: task.name,
      keys: task.unknown,
    });
  await makeLogFolders(ctx);
  if (task.environmentFiles !== null)
    await runtime.upload(task.environmentFiles, runtime.workdir, signal);
  const { healthcheck, skills_dir: skillsDir } = task.config.environment;
  if (healthcheck !== undefined)
    await waitUntilHealthy(runtime, healthcheck, { user: task.imageUser, signal });
  const step = await beginStep(ctx);
  const skills = skillsDir === undefined ? [] : await skillsIn(skillsDir, ctx);
  await setNetwork(ctx, step.agentNetwork);
  const limit = turnLimit(ctx, step);
  return {
    ...(task.isMultiStep && limit !== undefined ? { turnTimeout: limit } : {}),
    ...(skills.length === 0 ? {} : { skills }),
  };
}

export async function makeLogFolders({ runtime, signal }: Pick<Ctx, 'runtime' | 'signal'>) {
  const script = 'mkdir -p "$@" && chmod 777 "$@"';
  await asRoot(runtime, ['sh', '-c', script, 'sh', ...logs], signal);
}

/**
 * Brings a step's files, runs its `setup.sh` and waits for its healthcheck.
 * @throws VfError taskset/setup_failed
 */
export async function beginStep(ctx: Ctx): Promise<TaskStep> {
  const { runtime, signal } = ctx;
  const step = await stepOf(ctx);
  if (step.workdirFiles !== null) {
    await runtime.upload(step.workdirFiles, runtime.workdir, signal);
    if (await isFile(`${step.workdirFiles}/setup.sh`)) await runSetup(ctx);
  }
  if (step.healthcheck !== null) {
    const user = (await taskOf(ctx)).imageUser;
    await waitUntilHealthy(runtime, step.healthcheck, { user, signal });
  }
  return step;
}

async function runSetup({ runtime, signal }: Ctx): Promise<void> {
  const interpreter = 'if command -v bash >/dev/null 2>&1; then exec bash "$1"; fi; exec sh "$1"';
  const argv = ['sh', '-c', interpreter, 'sh', `${runtime.workdir}/setup.sh`];
  const ended = await runtime.run(argv, { signal });
  if (ended.exitCode !== 0)
    throw new VfError('taskset/setup_failed', `workdir/setup.sh ${howItEnded(ended)}`);
}

/** Milliseconds that the agent has for a step of several; undefined without a limit. */
export function turnLimit({ config }: Pick<Ctx, 'config'>, step: TaskStep): number | undefined {
  return step.agentTimeout === null
    ? undefined
    : step.agentTimeout * config.agentTimeoutMultiplier * 1000;
}
