import type { ServiceApi } from '@vf/core';
import { howItEnded, shell, userOption } from '../box/shell.ts';
import type { TaskStep, User } from '../folder/harbor-task.ts';
import type { Ctx } from '../play/play.ts';
import { serviceOf } from './service.ts';

type Hook = TaskStep['collect'][number];

/** Runs a task's snapshot commands in order; one that fails is only noted. */
export async function collect(
  ctx: Pick<Ctx, 'runtime' | 'signal' | 'log'>,
  hooks: readonly Hook[],
  imageUser: User | null,
): Promise<void> {
  for (const hook of hooks) {
    const place = await serviceOf(ctx, hook.service);
    const user = hook.user ?? (hook.service === 'main' ? imageUser : null);
    const ended = await run(place, hook, user, ctx.signal);
    if (ended.exitCode !== 0)
      ctx.log.warn('a collect hook failed', { command: hook.command, how: howItEnded(ended) });
  }
}

/** Images of services need not have bash. */
function run(
  place: Pick<ServiceApi, 'run'>,
  { command, service, timeout_sec: seconds }: Hook,
  user: User | null,
  signal: AbortSignal,
) {
  const argv = service === 'main' ? shell(command) : ['sh', '-c', command];
  return place.run(argv, { ...userOption(user), timeoutMs: seconds * 1000, signal });
}
