import { VfError } from '@vf/core';
import type { AnyHook, SideModel } from '@vf/core';
import { checkPrompt, criteriaForms, rubricForms, verdictForms } from './forms.ts';
import type { Forms } from './forms.ts';
import { judgePrompt } from './judge-prompt.ts';
import type { CriteriaJudge, JudgeBase, RubricJudge, VerdictJudge } from './judge-options.ts';
import { taskText } from './prompt/task-text.ts';
import type { Sections } from './prompt/sections.ts';
import { transcriptOf } from './prompt/transcript.ts';
import type { CriteriaVerdict } from './rubric/criteria-form.ts';
import type { Form } from './rubric/form.ts';
import type { ScoreVerdict } from './rubric/score-form.ts';
import { readVerdict } from './verdict/read-verdict.ts';
import { wireSchema } from './verdict/wire-schema.ts';

/**
 * A judge as a reward or a metric. Its verdict stands on the trace, `info.judged.NAME`.
 * @throws VfError scoring/judge_failed when it gives no verdict: the rollout is then unscored, never 0
 */
export interface Judge<Verdict> {
  (ctx: AnyHook): Promise<number | null>;
  /** The verdict itself, for a hook that makes more of it; the taskset then names the judge in `judges`. */
  verdict(ctx: AnyHook): Promise<Verdict>;
  /** The judge as the run sees it; what `judges` of a taskset takes is this list. */
  readonly judges: readonly [SideModel];
}

/** Makes a judge of a rubric in words, of criteria, or of a verdict of one's own. @throws VfError config/invalid */
export function judge<Verdict>(options: VerdictJudge<Verdict>): Judge<Verdict>;
export function judge(options: CriteriaJudge): Judge<CriteriaVerdict>;
export function judge(options: RubricJudge): Judge<ScoreVerdict>;
export function judge(
  options: RubricJudge | CriteriaJudge | VerdictJudge<unknown>,
): Judge<CriteriaVerdict> | Judge<ScoreVerdict> | Judge<unknown> {
  if ('criteria' in options) return made(options, criteriaForms(options));
  if ('verdict' in options) return made(options, verdictForms(options));
  return made(options, rubricForms(options));
}

function made<Verdict>(options: JudgeBase, forms: Forms<Verdict>): Judge<Verdict> {
  const declared = declare(options, forms);
  const judged = async (ctx: AnyHook): Promise<Judged<Verdict>> => {
    const form = forms.of(ctx.sideModel(declared).prompt);
    const sections = await shown(options.show ?? 'reply', ctx);
    const verdict = form.merge(await voted(ctx, declared, form, sections, options.votes ?? 1));
    const outcome = { score: form.score(verdict), verdict };
    note(ctx, declared.name, outcome);
    return outcome;
  };
  return Object.assign(async (ctx: AnyHook) => (await judged(ctx)).score, {
    verdict: async (ctx: AnyHook) => (await judged(ctx)).verdict,
    judges: [declared] as const,
  });
}

/** What stands on the trace of each judge. */
interface Judged<Verdict> {
  readonly score: number | null;
  readonly verdict: Verdict;
}

function declare<Verdict>(options: JudgeBase, forms: Forms<Verdict>): SideModel {
  const { name, model, client, sampling, votes = 1 } = options;
  if (!Number.isInteger(votes) || votes < 1 || votes % 2 === 0)
    throw new VfError(
      'config/invalid',
      `judge ${name} has ${votes} votes; a majority needs an odd number`,
      { hint: 'votes: 3' },
    );
  const { prompt } = forms;
  const form = forms.of(prompt);
  return {
    kind: 'judge',
    name,
    prompt,
    ...(model === undefined ? {} : { model }),
    ...(client === undefined ? {} : { client }),
    ...(sampling === undefined ? {} : { sampling }),
    measures: { votes, task: form.task, schema: wireSchema(form.schema).schema },
    checkPrompt: (other) => checkPrompt(forms, other),
  };
}

async function shown(show: NonNullable<JudgeBase['show']>, ctx: AnyHook): Promise<Sections> {
  if (typeof show === 'function') return show(ctx);
  const task = taskText(ctx);
  return show === 'reply'
    ? { task, reply: ctx.trace.lastReply }
    : { task, conversation: transcriptOf(ctx.trace) };
}

async function voted<Verdict>(
  ctx: AnyHook,
  declared: SideModel,
  form: Form<Verdict>,
  sections: Sections,
  votes: number,
): Promise<Verdict[]> {
  const channel = ctx.sideModel(declared);
  const wire = wireSchema(form.schema);
  const question = {
    messages: judgePrompt(form.task, sections, wire.schema),
    format: { name: 'verdict', schema: wire.schema, ...(wire.strict ? { strict: true } : {}) },
    check: (reply: string) => readVerdict(reply, form.schema).problem,
    cached: true,
  };
  return Promise.all(
    Array.from({ length: votes }, async (_, vote) => {
      const reply = await channel.ask({ ...question, vote });
      const { verdict, problem } = readVerdict(reply, form.schema);
      if (problem !== null)
        throw new VfError('scoring/judge_failed', `judge ${declared.name}: ${problem}`);
      return verdict;
    }),
  );
}

function note({ trace }: AnyHook, name: string, judged: object): void {
  const before = trace.info['judged'];
  trace.info['judged'] = { ...(typeof before === 'object' ? before : {}), [name]: judged };
}
