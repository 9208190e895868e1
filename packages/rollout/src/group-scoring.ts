import type { Trace } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { checkScore } from './scoring.ts';
import type { TaskInstance, TasksetPlan } from './plan.ts';

/** Scores of one group reward, one per attempt in order; null where it does not apply or failed. */
export interface GroupScores {
  readonly name: string;
  readonly weight: number;
  readonly scores: readonly (number | null)[];
  readonly error: VfError | null;
}

/** Scores all attempts of a task together, from their traces alone. */
export async function scoreGroup(
  taskset: TasksetPlan,
  task: TaskInstance,
  traces: readonly Trace[],
  signal: AbortSignal,
): Promise<GroupScores[]> {
  const hooks = Object.entries(taskset.spec.groupRewards ?? {}) as [
    string,
    (ctx: object) => readonly unknown[] | Promise<readonly unknown[]>,
  ][];
  const ctx = { task: task.task, config: taskset.config, traces, signal };
  return Promise.all(
    hooks.map(([name, hook]) => scoreWith(name, taskset.groupWeights[name] ?? 1, hook, ctx)),
  );
}

async function scoreWith(
  name: string,
  weight: number,
  hook: (ctx: object) => readonly unknown[] | Promise<readonly unknown[]>,
  ctx: { traces: readonly Trace[] },
): Promise<GroupScores> {
  const where = `group reward ${name}`;
  try {
    const scores = await hook(ctx);
    if (!Array.isArray(scores) || scores.length !== ctx.traces.length) {
      throw new VfError(
        'scoring/invalid_score',
        `${where} must give one score per attempt (${ctx.traces.length})`,
        { hint: 'give null for an attempt that it does not apply to' },
      );
    }
    return { name, weight, scores: scores.map((value) => checkScore(value, where)), error: null };
  } catch (error) {
    return {
      name,
      weight,
      scores: ctx.traces.map(() => null),
      error: toVfError(error, 'scoring/hook_failed', where),
    };
  }
}
