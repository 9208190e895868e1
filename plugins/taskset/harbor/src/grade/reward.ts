import { VfError } from '@vf/core/errors';
import { taskOf } from '../play/play.ts';
import type { Ctx } from '../play/play.ts';
import { gradePrepared, isUngraded } from './grade-step.ts';
import { combine } from './rewards.ts';

/**
 * The task's reward; the other keys that the verifier reports become metrics, what each step got goes to `info.harbor`.
 * @throws VfError scoring/invalid_score when the verifier reports no reward by that key
 */
export async function reward(ctx: Ctx, rewardKey: string): Promise<number> {
  const { state, trace } = ctx;
  if (isUngraded(ctx)) await gradePrepared(ctx);
  const { config: task, isMultiStep } = await taskOf(ctx);
  const results = state.results.map(({ rewards }) => rewards);
  const rewards = combine(results, isMultiStep ? task.multi_step_reward_strategy : 'final');
  trace.info['harbor'] = {
    ...(Object(trace.info['harbor']) as object),
    rewards,
    ...(state.aborted === null ? {} : { aborted: state.aborted }),
  };
  const { [rewardKey]: score, ...others } = rewards;
  Object.assign(trace.metrics, others);
  if (score !== undefined) return score;
  const keys = Object.keys(rewards);
  const hint = keys.length === 0 ? 'mend tests/test.sh' : `--taskset.reward-key ${keys[0]}`;
  const told = keys.length === 0 ? 'no key at all' : `only ${keys.join(', ')}`;
  // Records and screens keep the message alone.
  const message = `the verifier reports ${told}, no ${rewardKey}; the key that counts is named by --taskset.reward-key`;
  throw new VfError('scoring/invalid_score', message, { hint });
}
