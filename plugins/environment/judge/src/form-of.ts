import { VfError } from '@vf/core';
import { criteriaForm, parseCriteria, scoreForm } from '@vf/judge';
import type { CriteriaVerdict, Form, Scale, ScoreVerdict } from '@vf/judge';

/** The form of the verdict that a config asks for. @throws VfError config/invalid */
export function formOf(given: {
  readonly rubric?: string | undefined;
  readonly criteria?: string | undefined;
  readonly scale: Scale;
}): Form<ScoreVerdict> | Form<CriteriaVerdict> {
  const { rubric, criteria, scale } = given;
  if (rubric !== undefined && criteria === undefined) return scoreForm(rubric, scale);
  if (criteria !== undefined && rubric === undefined) return criteriaForm(parseCriteria(criteria));
  throw new VfError('config/invalid', 'a judge needs a rubric or criteria, one of them', {
    hint: 'environment.rubric = "…"',
  });
}
