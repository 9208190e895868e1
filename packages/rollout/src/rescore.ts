import type { AnyHook, Log, RuntimeApi, Trace } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { SideModels, TaskInstance, TasksetPlan } from './plan.ts';
import { givenRewards } from './given-rewards.ts';
import { note } from './trace-error.ts';
import { score } from './scoring.ts';
import { addTokenCounts } from './token-counts.ts';
import { sideChannel } from './side-channel.ts';

/**
 * Scores a stored trace again, in place. Its box and its state are gone: a hook that asks for them fails, which
 * leaves that score null, rather than judging an empty box.
 * @returns false when the trace has nothing to score: its agent never came to an end
 */
export async function rescoreTrace(
  taskset: TasksetPlan,
  task: TaskInstance,
  trace: Trace,
  around: { readonly log: Log; readonly signal: AbortSignal; readonly sideModels: SideModels },
): Promise<boolean> {
  if (trace.errors.some(({ phase, attempt }) => phase !== 'scoring' && attempt === undefined))
    return false;
  forget(trace);
  addTokenCounts(trace);
  const ctx: AnyHook = {
    task: task.task,
    config: taskset.config,
    state: gone('state', 'what tools and hooks kept in memory'),
    runtime: gone('runtime', 'the box'),
    trace,
    signal: around.signal,
    log: around.log,
    openBox: () => Promise.reject(isGone('openBox', 'the box')),
    keep: () => Promise.reject(isGone('keep', 'the box')),
    setNetwork: () => Promise.reject(isGone('setNetwork', 'the box')),
    secret: () => undefined,
    sideModel: (declared) =>
      sideChannel(around.sideModels, declared, { trace, signal: around.signal }),
  };
  const errors = await score(taskset, trace, ctx);
  for (const error of errors) note(trace, error, 'scoring');
  trace.ok = errors.length === 0;
  return true;
}

/** Takes the old scores and their errors off; what an environment or a tool gave stays. */
function forget(trace: Trace): void {
  const given = givenRewards(trace);
  for (const name of Object.keys(trace.rewards))
    if (!given.includes(name)) delete trace.rewards[name];
  for (const name of Object.keys(trace.metrics)) delete trace.metrics[name];
  const kept = trace.errors.filter(({ phase }) => phase !== 'scoring');
  trace.errors.splice(0, trace.errors.length, ...kept);
  if (trace.stopCondition === 'scoring_error') trace.stopCondition = 'agent_completed';
}

/** Fails with a plain sentence at the first use. */
function gone(name: string, what: string) {
  return new Proxy<RuntimeApi>({} as RuntimeApi, {
    get(_target, property) {
      throw isGone(`${name}.${String(property)}`, what);
    },
  });
}

function isGone(use: string, what: string): VfError {
  return new VfError(
    'scoring/box_gone',
    `a score that uses ${use} cannot be taken again: ${what} is gone`,
    { hint: 'play these rollouts again: vf resume RUN --include scoring' },
  );
}
