import type { ServiceApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Ctx } from '../play/play.ts';

/** A service of the task's compose set; `main` is the box itself. @throws VfError misfit/plan in a box without services */
export async function serviceOf(
  { runtime, signal }: Pick<Ctx, 'runtime' | 'signal'>,
  name: string,
): Promise<Omit<ServiceApi, 'stop'>> {
  if (name === 'main') return runtime;
  if (runtime.service !== undefined) return runtime.service(name, signal);
  throw new VfError('misfit/plan', `the box has no services, so no ${name}`, {
    retryable: false,
    hint: 'give the task environment/docker-compose.yaml, and run it with --runtime docker',
  });
}
