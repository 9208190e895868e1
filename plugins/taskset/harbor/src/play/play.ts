import type { Box, Hook, NetworkPolicy } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Config } from '../config.ts';
import { resolveEnv } from '../format/env-template.ts';
import { samePolicy } from '../format/network.ts';
import { digestOf } from '../folder/digest.ts';
import type { HarborTask, TaskStep } from '../folder/harbor-task.ts';
import { readTask } from '../folder/read-task.ts';
import type { Rewards } from '../grade/rewards.ts';
import type { Row } from '../row.ts';

/** How a program of the task ended, and the last of what it printed. */
export interface Ended {
  /** null: it was ended. */
  readonly exit_code: number | null;
  readonly output: string;
}

/** Of one step: its reference solution, where that was performed, and its tests. */
export interface Said {
  solution?: Ended;
  verifier?: Ended;
}

/** How far a rollout has come. */
export interface Play {
  task: HarborTask | null;
  /** Which step the agent is at, or was at last. */
  step: number;
  /** Of the steps that are graded, in order. */
  results: { readonly step: string | null; readonly rewards: Rewards }[];
  /** What the programs of the task said, step by step. */
  readonly said: Said[];
  /** Why the steps after the last graded one were not played. */
  aborted: string | null;
  /** What the box may reach now; null for what it was made with. */
  network: NetworkPolicy | null;
  /** A machine of its own for the verifier of this step. */
  verifierBox: Box | null;
}

export function newPlay(): Play {
  return {
    task: null,
    step: 0,
    results: [],
    said: [],
    aborted: null,
    network: null,
    verifierBox: null,
  };
}

export type Ctx = Hook<Row, Config, Play>;

/** The task that is played. @throws VfError taskset/setup_failed when its folder has gone bad since it was loaded */
export async function taskOf({
  task: row,
  state,
}: Pick<Ctx, 'task' | 'state'>): Promise<HarborTask> {
  if (state.task !== null) return state.task;
  const read = await readTask(row.dir);
  if ('refused' in read)
    throw new VfError('taskset/setup_failed', `task ${row.key} has changed since it was loaded`, {
      problems: read.refused,
    });
  await requireUnchanged(row, 'taskset/setup_failed');
  return (state.task = read.task);
}

/** @throws VfError when a file of the task is another than when it was loaded: a run has one task by a name */
export async function requireUnchanged(
  { key, dir, digest }: Pick<Ctx['task'], 'key' | 'dir' | 'digest'>,
  code: 'taskset/setup_failed' | 'taskset/hook_failed',
): Promise<void> {
  if ((await digestOf(dir)) === digest) return;
  throw new VfError(code, `task ${key} has changed since it was loaded: files in ${dir}`, {
    hint: 'leave tasks as they are while a run plays them; the changed one is for a new run',
  });
}

/** The step the agent is at. */
export async function stepOf(ctx: Pick<Ctx, 'task' | 'state'>): Promise<TaskStep> {
  const step = (await taskOf(ctx)).steps[ctx.state.step];
  if (step !== undefined) return step;
  throw new VfError('internal/unexpected', `task ${ctx.task.key} has no step ${ctx.state.step}`);
}

/** Changes what the box may reach when it may not reach just that. */
export async function setNetwork(ctx: Ctx, policy: NetworkPolicy): Promise<void> {
  const { state, task } = ctx;
  const current = state.network ?? task.network ?? { mode: 'public' };
  if (samePolicy(current, policy)) return;
  await ctx.setNetwork(policy);
  state.network = policy;
}

/** @throws VfError taskset/setup_failed for a variable that is not set */
export function environment(
  ctx: Ctx,
  env: Readonly<Record<string, string>>,
  table: string,
): Record<string, string> {
  return resolveEnv(
    env,
    (name) => ctx.secret(name),
    (key, variable) => {
      throw new VfError(
        'taskset/setup_failed',
        `task ${ctx.task.key}: ${table}.${key} needs ${variable}, which is not set`,
        { hint: `export ${variable}=…` },
      );
    },
  );
}
