import { randomUUID } from 'node:crypto';
import { textOf } from '@vf/core/trace';
import type { PlayCtx, Rollout, Task, TaskRow } from '@vf/core';
import { wireSchema } from '@vf/judge';
import type { Form } from '@vf/judge';
import type { JudgeConfig } from './config.ts';
import { formOf } from './form-of.ts';
import { judgePrompt } from './judge-task.ts';
import { verdictOf } from './verdict-of.ts';

type Ctx = PlayCtx<{ solver: object; judge: object }, JudgeConfig, object>;

/**
 * The solver plays, then the judge looks at it; its verdict is the solver's reward. A solver that failed is not
 * judged: its own error says why it has no score.
 */
export async function playJudge(ctx: Ctx): Promise<void> {
  const { task, agents, config, reward } = ctx;
  const solved = await agents.solver.run(task);
  // Stands until there is a verdict: without one the rollout is unscored.
  reward(solved, config.reward, null);
  if (!solved.trace.ok) return;
  await judge(ctx, solved, formOf(config));
}

async function judge(
  { task, agents, config, reward }: Ctx,
  solved: Rollout,
  form: Form<unknown>,
): Promise<void> {
  // The solver cannot have written it before: only the judge is told the name.
  const file = `verdict-${randomUUID().slice(0, 8)}.json`;
  const { schema } = wireSchema(form.schema);
  const asked = askedOf(solved, task);
  const prompt = judgePrompt(solved.trace, { task: form.task, asked, schema, file, config });
  const judged =
    config.box === 'solver'
      ? await agents.judge.run({ prompt }, { runtime: solved.runtime })
      : await agents.judge.run({ prompt, ...placeOf(task) });
  link(solved, judged);
  const verdict = await verdictOf(judged, form, file);
  const score = form.score(verdict);
  solved.trace.info['judged'] = { [config.reward]: { score, verdict } };
  reward(solved, config.reward, score, config.weight);
}

/** Each trace names the other. */
function link(solved: Rollout, judged: Rollout): void {
  solved.trace.info['judged_by'] = judged.trace.id;
  judged.trace.info['judge_of'] = solved.trace.id;
}

function askedOf({ trace }: Rollout, task: Task<object>): string {
  const prompt = trace.effectiveTask?.prompt ?? task.prompt ?? '';
  return typeof prompt === 'string'
    ? prompt
    : prompt.map(({ content }) => textOf(content)).join('\n');
}

/** A box of its own is made like the solver's. */
function placeOf({ image, build }: Task<object>): Pick<TaskRow<object>, 'image' | 'build'> {
  return {
    ...(image === undefined ? {} : { image }),
    ...(build === undefined ? {} : { build }),
  };
}
