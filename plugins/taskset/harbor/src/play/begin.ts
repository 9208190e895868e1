import type { SetupResult } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { waitUntilHealthy } from '../box/healthcheck.ts';
import { asRoot, howItEnded, userOption } from '../box/shell.ts';
import type { TaskStep, User } from '../folder/harbor-task.ts';
import { isFile } from '../folder/look.ts';
import { agentLimitMs } from '../limits.ts';
import { mcpServersOf } from './mcp-servers.ts';
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
  const { healthcheck, skills_dir: skillsDir, gpus, gpu_types: kinds } = task.config.environment;
  if (gpus && kinds !== undefined && kinds.length > 0)
    log.warn('any kind of GPU is taken', { task: task.name, asked: kinds });
  if (healthcheck !== undefined)
    await waitUntilHealthy(runtime, healthcheck, { user: task.imageUser, signal });
  const step = await beginStep(ctx);
  const skills = skillsDir === undefined ? [] : await skillsIn(skillsDir, ctx);
  await setNetwork(ctx, step.agentNetwork);
  const limit = turnLimit(ctx, step);
  const mcpServers = mcpServersOf(task, ctx);
  return {
    ...(task.isMultiStep && limit !== undefined ? { turnTimeout: limit } : {}),
    ...(skills.length === 0 ? {} : { skills }),
    ...(mcpServers.length === 0 ? {} : { mcpServers }),
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
  const { imageUser } = await taskOf(ctx);
  if (step.workdirFiles !== null) {
    await runtime.upload(step.workdirFiles, runtime.workdir, signal);
    if (await isFile(`${step.workdirFiles}/setup.sh`))
      await runSetup(ctx, step.agentUser ?? imageUser);
  }
  if (step.healthcheck !== null)
    await waitUntilHealthy(runtime, step.healthcheck, { user: imageUser, signal });
  return step;
}

async function runSetup({ runtime, signal }: Ctx, user: User | null): Promise<void> {
  const interpreter = 'if command -v bash >/dev/null 2>&1; then exec bash "$1"; fi; exec sh "$1"';
  const argv = ['sh', '-c', interpreter, 'sh', `${runtime.workdir}/setup.sh`];
  const ended = await runtime.run(argv, { ...userOption(user), signal });
  if (ended.exitCode !== 0)
    throw new VfError('taskset/setup_failed', `workdir/setup.sh ${howItEnded(ended)}`);
}

/** Milliseconds that the agent has for a step of several; undefined without a limit. */
export function turnLimit({ config }: Pick<Ctx, 'config'>, step: TaskStep): number | undefined {
  return agentLimitMs(step.agentTimeout, config) ?? undefined;
}
