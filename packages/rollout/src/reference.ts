import type { AnyHook, HarnessCtx } from '@vf/core';
import { toVfError } from '@vf/core/errors';
import type { TasksetPlan } from './plan.ts';

/** The taskset's reference solution, for a harness that performs it; nothing where there is none. */
export function referenceOf(
  taskset: TasksetPlan | null,
  hookCtx: AnyHook,
): Pick<HarnessCtx, 'reference'> {
  const perform = taskset?.spec.validate;
  if (perform === undefined) return {};
  return {
    reference: async (signal) => {
      try {
        const answer = await perform({ ...hookCtx, signal });
        return typeof answer === 'string' ? { reply: answer } : answer;
      } catch (error) {
        throw toVfError(error, 'taskset/hook_failed', 'the reference solution');
      }
    },
  };
}
