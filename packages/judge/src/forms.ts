import { VfError } from '@vf/core';
import type { CriteriaJudge, RubricJudge, VerdictJudge } from './judge-options.ts';
import { criteriaForm } from './rubric/criteria-form.ts';
import type { CriteriaVerdict } from './rubric/criteria-form.ts';
import { criteriaOf, formatCriteria, parseCriteria } from './rubric/criteria.ts';
import { middleVote } from './rubric/form.ts';
import type { Form } from './rubric/form.ts';
import { scoreForm } from './rubric/score-form.ts';
import type { ScoreVerdict } from './rubric/score-form.ts';

/** The author's prompt, and the form that a prompt makes: the author's own, or the config's in its place. */
export interface Forms<Verdict> {
  readonly prompt: string;
  of(prompt: string): Form<Verdict>;
}

export function rubricForms({ rubric, scale = [0, 1] }: RubricJudge): Forms<ScoreVerdict> {
  return { prompt: rubric, of: (prompt) => scoreForm(prompt, scale) };
}

export function criteriaForms({ criteria }: CriteriaJudge): Forms<CriteriaVerdict> {
  const own = typeof criteria === 'string' ? parseCriteria(criteria) : criteriaOf(criteria);
  return { prompt: formatCriteria(own), of: (prompt) => criteriaForm(parseCriteria(prompt)) };
}

export function verdictForms<Verdict>({
  rubric,
  verdict,
  score,
}: VerdictJudge<Verdict>): Forms<Verdict> {
  return {
    prompt: rubric,
    of: (task) => ({ task, schema: verdict, score, merge: (votes) => middleVote(votes, score) }),
  };
}

/** @throws VfError config/invalid for a prompt that makes no form */
export function checkPrompt(forms: Forms<unknown>, prompt: string): string | null {
  if (prompt.trim() === '') return 'it is empty';
  try {
    forms.of(prompt);
    return null;
  } catch (error) {
    if (VfError.isInstance(error)) return error.message;
    throw error;
  }
}
