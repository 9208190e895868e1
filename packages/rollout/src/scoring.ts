import type { AnyHook, Trace } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import type { PlannedMetric, PlannedReward, TasksetPlan } from './plan.ts';

/**
 * Runs rewards by priority, then metrics, into the trace. A score that failed is null, never 0, and the others are
 * still taken.
 * @returns the errors, in the order of the names
 */
export async function score(
  taskset: Pick<TasksetPlan, 'rewards' | 'metrics'>,
  trace: Trace,
  ctx: AnyHook,
): Promise<readonly VfError[]> {
  const errors: VfError[] = [];
  for (const group of byPriority(taskset.rewards)) {
    const scores = await Promise.all(group.map((reward) => scoreOne('reward', reward, ctx)));
    group.forEach((reward, i) => {
      const result = scores[i];
      if (VfError.isInstance(result)) errors.push(result);
      trace.rewards[reward.name] =
        typeof result === 'number' ? { score: result, weight: reward.weight } : null;
    });
  }
  const metrics = await Promise.all(
    taskset.metrics.map((metric) => scoreOne('metric', metric, ctx)),
  );
  taskset.metrics.forEach((metric, i) => {
    const result = metrics[i];
    if (VfError.isInstance(result)) errors.push(result);
    trace.metrics[metric.name] = typeof result === 'number' ? result : null;
  });
  return errors;
}

const mendIt = 'mend it, then vf rescore the run';

async function scoreOne(
  kind: 'reward' | 'metric',
  { name, score: run }: PlannedReward | PlannedMetric,
  ctx: AnyHook,
): Promise<number | null | VfError> {
  try {
    return checkScore(await run(ctx), `${kind} ${name}`);
  } catch (error) {
    return toVfError(error, 'scoring/hook_failed', `${kind} ${name}`, mendIt);
  }
}

/** @throws VfError scoring/invalid_score for anything but a finite number or null */
export function checkScore(value: unknown, where: string): number | null {
  if (value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const got = typeof value === 'number' ? String(value) : typeof value;
  throw new VfError(
    'scoring/invalid_score',
    `${where} gave ${got}; a score is a finite number, or null where it does not apply`,
    { hint: mendIt },
  );
}

function byPriority(rewards: readonly PlannedReward[]): PlannedReward[][] {
  const groups = new Map<number, PlannedReward[]>();
  for (const reward of rewards) {
    const group = groups.get(reward.priority);
    if (group === undefined) groups.set(reward.priority, [reward]);
    else group.push(reward);
  }
  const inOrder = [...groups.keys()].sort((a, b) => b - a);
  return inOrder.map((priority) => groups.get(priority) ?? []);
}
