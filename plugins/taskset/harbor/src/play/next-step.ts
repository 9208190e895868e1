import type { NextTurn } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { HarborTask, TaskStep, User } from '../folder/harbor-task.ts';
import { gradeStep } from '../grade/grade-step.ts';
import { reaches } from '../grade/rewards.ts';
import { writeTrajectory } from '../grade/trajectory-file.ts';
import { beginStep, turnLimit } from './begin.ts';
import { setNetwork, stepOf, taskOf } from './play.ts';
import type { Ctx } from './play.ts';

/** Grades the step that the agent has ended; the next one's turn, or null when there is none or the grade stops it. */
export async function nextStep(ctx: Ctx): Promise<NextTurn | null> {
  const { state } = ctx;
  const task = await taskOf(ctx);
  if (!task.isMultiStep) return null;
  const { minReward, agentUser: before } = await stepOf(ctx);
  await writeTrajectory(ctx);
  const rewards = await gradeStep(ctx);
  if (!reaches(rewards, minReward) || state.step + 1 >= task.steps.length) return null;
  state.step++;
  try {
    const step = await beginStep(ctx);
    const agent = turnLimit(ctx, step);
    await setNetwork(ctx, step.agentNetwork);
    return {
      prompt: step.instruction,
      session: 'fresh',
      ...(agent === undefined ? {} : { timeouts: { agent } }),
      ...runAs(before, step, task),
    };
  } catch (error) {
    // What an earlier step left behind may well be why: the steps so far count, as in Harbor.
    if (!VfError.isInstance(error) || error.code !== 'taskset/setup_failed') throw error;
    state.aborted = error.message;
    return null;
  }
}

/** Another user than that of the step before; where a step names none, the image's own. */
function runAs(
  before: User | null,
  { agentUser }: TaskStep,
  { imageUser }: HarborTask,
): Pick<NextTurn, 'runAs'> {
  const user = agentUser ?? imageUser;
  return user === null || user === (before ?? imageUser) ? {} : { runAs: user };
}
