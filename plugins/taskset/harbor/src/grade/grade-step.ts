import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { environment, setNetwork, stepOf, taskOf } from '../play/play.ts';
import type { Ctx } from '../play/play.ts';
import { collect } from './collect.ts';
import type { Rewards } from './rewards.ts';
import { runTests } from './run-tests.ts';
import { openVerifierBox } from './verifier-box.ts';

/** Is the step that the agent is at, or was at last, still without a grade? */
export function isUngraded({ state }: Pick<Ctx, 'state'>): boolean {
  return state.results.length <= state.step && state.aborted === null;
}

/** What comes between the agent and the tests: snapshots, and the machine that the tests run on. */
export async function prepareGrading(ctx: Ctx): Promise<void> {
  const { state } = ctx;
  const task = await taskOf(ctx);
  const step = await stepOf(ctx);
  await collect(ctx, step.collect, task.imageUser);
  const { separate } = step.verifier;
  if (separate !== null) state.verifierBox = await openVerifierBox(ctx, step, separate);
}

/** Grades the step and keeps its rewards. @throws VfError scoring/* */
export async function gradeStep(ctx: Ctx): Promise<Rewards> {
  await prepareGrading(ctx);
  const { verifier } = await stepOf(ctx);
  const limitMs = verifier.timeout * ctx.config.verifierTimeoutMultiplier * 1000;
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await gradePrepared({ ...ctx, signal: AbortSignal.any([ctx.signal, limit]) });
  } catch (error) {
    if (ctx.signal.aborted || !limit.aborted) throw error;
    throw new VfError('scoring/timeout', `the verifier took longer than ${limitMs / 1000} s`, {
      hint: '--taskset.verifier-timeout-multiplier 2 gives it longer',
      cause: error,
    });
  }
}

/** The same once it is prepared, within the time of whoever asks. */
export async function gradePrepared(ctx: Ctx): Promise<Rewards> {
  const { state, signal } = ctx;
  const task = await taskOf(ctx);
  const { name, verifier } = await stepOf(ctx);
  const runtime: RuntimeApi = state.verifierBox ?? ctx.runtime;
  if (state.verifierBox === null) await setNetwork(ctx, verifier.network);
  const rewards = await runTests(runtime, {
    name: name === null ? task.name : `${task.name}, step ${name}`,
    tests: verifier.tests,
    isClean: task.isMultiStep,
    env: environment(ctx, verifier.env, 'verifier.env'),
    user: verifier.user ?? (state.verifierBox === null ? task.imageUser : null),
    signal,
  });
  state.results.push({ step: name, rewards });
  await state.verifierBox?.stop();
  state.verifierBox = null;
  return rewards;
}
