import type { Artifact, RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { waitUntilHealthy } from '../box/healthcheck.ts';
import type { HarborTask } from '../folder/harbor-task.ts';
import { limitMs } from '../limits.ts';
import { environment, requireUnchanged, setNetwork, stepOf, taskOf } from '../play/play.ts';
import type { Ctx } from '../play/play.ts';
import { tell } from '../play/tell.ts';
import { artifactsToCarry, conventionalFolder } from '../row.ts';
import { carry } from './carry.ts';
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
  const { imageUser, steps } = await taskOf(ctx);
  const step = await stepOf(ctx);
  const { separate } = step.verifier;
  const [hooks, hooksBeside] = byService(step.collect);
  await collect(ctx, hooks, imageUser);
  if (separate === null) return collect(ctx, hooksBeside, imageUser);
  const box = await openVerifierBox(ctx, step, separate);
  state.verifierBox = box;
  const [artifacts, beside] = byService(artifactsToCarry(step));
  for (const artifact of artifacts) await carry(artifact, ctx, box);
  const isLast = state.step + 1 === steps.length;
  // Nothing that the agent left running may touch the services while they are looked at.
  if (isLast && hooksBeside.length + beside.length > 0) await stopMain(ctx);
  await collect(ctx, hooksBeside, imageUser);
  for (const artifact of beside) await carry(artifact, ctx, box);
  const { healthcheck } = separate.machine;
  if (healthcheck !== undefined)
    await waitUntilHealthy(box, healthcheck, { user: null, signal: ctx.signal });
}

/** Those of `main`, and those of services beside it. */
function byService<Of extends { readonly service: string }>(all: readonly Of[]): [Of[], Of[]] {
  const isMain = ({ service }: Of) => service === 'main';
  return [all.filter(isMain), all.filter((one) => !isMain(one))];
}

async function stopMain({ runtime, signal }: Ctx): Promise<void> {
  await (await runtime.service?.('main', signal))?.stop(signal);
}

/** Grades the step and keeps its rewards. @throws VfError scoring/* */
export async function gradeStep(ctx: Ctx): Promise<Rewards> {
  await prepareGrading(ctx);
  const { verifier } = await stepOf(ctx);
  const ms = limitMs('verifier', verifier.timeout, ctx.config);
  const limit = AbortSignal.timeout(ms);
  try {
    return await gradePrepared({ ...ctx, signal: AbortSignal.any([ctx.signal, limit]) });
  } catch (error) {
    if (ctx.signal.aborted || !limit.aborted) throw error;
    throw new VfError('scoring/timeout', `the verifier took longer than ${ms / 1000} s`, {
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
    task,
    tests: verifier.tests,
    isClean: task.isMultiStep,
    env: {
      ...environment(ctx, verifier.env, 'verifier.env'),
      ...environment(ctx, ctx.config.verifierEnv, 'verifier_env'),
    },
    user: verifier.user ?? (state.verifierBox === null ? task.imageUser : null),
    signal,
    log: ctx.log,
    whenSent: () => requireUnchanged(ctx.task, 'taskset/hook_failed'),
    onEnd: (ended) => tell(ctx, task, { verifier: ended }),
    keep: () => keepLogs(ctx, task, name),
  });
  state.results.push({ step: name, rewards });
  tell(ctx, task);
  await state.verifierBox?.stop();
  state.verifierBox = null;
  return rewards;
}

/** What the tests left, and where they are done once and for all what they added to the artifacts. */
async function keepLogs(
  { state, keep, task }: Ctx,
  { isMultiStep }: Pick<HarborTask, 'isMultiStep'>,
  step: string | null,
): Promise<void> {
  const { verifierBox } = state;
  const destination = step === null ? {} : { destination: `steps/${step}${verifierLogs}` };
  await keep([{ source: verifierLogs, ...destination }], verifierBox ?? undefined);
  if (isMultiStep || verifierBox !== null) return;
  const conventional = task.artifacts?.find((one) => sourceOf(one) === conventionalFolder);
  if (conventional !== undefined) await keep([conventional]);
}

const verifierLogs = '/logs/verifier';

function sourceOf(artifact: string | Artifact): string {
  return typeof artifact === 'string' ? artifact : artifact.source;
}
