import { VfError } from '@vf/core/errors';
import { endOf } from '../box/said.ts';
import { send } from '../box/send.ts';
import { asRoot, userOption } from '../box/shell.ts';
import { isFile } from '../folder/look.ts';
import { faultOf } from '../folder/scripts.ts';
import { environment, stepOf, taskOf } from './play.ts';
import type { Ctx } from './play.ts';
import { tell } from './tell.ts';

const output = '/logs/agent/oracle.txt';

/**
 * Performs the reference solution of the step that is played, as Harbor's oracle does: what it prints goes to
 * /logs/agent/oracle.txt, and how it ends is only noted.
 * @throws VfError taskset/hook_failed when the task has none
 */
export async function solve(ctx: Ctx): Promise<void> {
  const { runtime, signal, log } = ctx;
  const task = await taskOf(ctx);
  const { name, config, dir } = task;
  const step = await stepOf(ctx);
  if (step.solution === null || !(await isFile(`${step.solution}/solve.sh`)))
    throw new VfError('taskset/hook_failed', `task ${name} has no solution`, {
      hint: `write ${step.solution ?? `${dir}/solution`}/solve.sh`,
    });
  await send(runtime, task, step.solution, '/solution', signal);
  // What the user of an earlier step wrote there is another's.
  const ready = `rm -f ${output} && chmod +x /solution/solve.sh`;
  await asRoot(runtime, ['sh', '-c', ready], signal);
  const ended = await runtime.run(['sh', '-c', `(/solution/solve.sh) > ${output} 2>&1`], {
    ...userOption(step.agentUser ?? task.imageUser),
    env: {
      DEBIAN_FRONTEND: 'noninteractive',
      ...environment(ctx, config.solution.env, 'solution.env'),
    },
    signal,
  });
  const said = await endOf(runtime, output, signal);
  tell(ctx, task, { solution: { exit_code: ended.exitCode, output: said } });
  if (ended.exitCode === 0) return;
  const fault = await faultOf(`${step.solution}/solve.sh`);
  log.warn('the solution ended with an error', {
    task: name,
    exitCode: ended.exitCode,
    output: said,
    ...(fault === null ? {} : { why: `it ${fault.message}` }),
  });
  await runtime.write('/logs/agent/exit-code.txt', `${ended.exitCode}\n`, { signal });
}
