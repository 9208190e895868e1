import type { AnyHook, Sampling, SideClient, z } from '@vf/core';
import type { Sections } from './prompt/sections.ts';
import type { Criteria } from './rubric/criteria.ts';
import type { Scale } from './rubric/score-form.ts';

/** What a judge may be shown of; the author's own fields of the task are there, but of no known type. */
export interface ShowCtx extends Omit<AnyHook, 'task'> {
  readonly task: AnyHook['task'] & Readonly<Record<string, unknown>>;
}

/** What every judge has. */
export interface JudgeBase {
  /** Unique in the taskset: errors, usage and `judges.NAME` of the config call it so. */
  readonly name: string;
  /** Goes to the provider as written. Absent: the config must give one. */
  readonly model?: string;
  /** Absent: the run's own provider. */
  readonly client?: SideClient;
  /** Absent keys are left to the provider. */
  readonly sampling?: Sampling;
  /** An odd number; each is a sample of its own. Default 1. */
  readonly votes?: number;
  /**
   * What is judged: the last reply (default), the whole conversation, or texts by name. The task's prompt stands
   * before the first two.
   */
  readonly show?: 'reply' | 'transcript' | ((ctx: ShowCtx) => Sections | Promise<Sections>);
}

/** A rubric in words, answered with one number on a scale (default 0 to 1); its place on it is the score. */
export interface RubricJudge extends JudgeBase {
  readonly rubric: string;
  readonly scale?: Scale;
}

/** Criteria, each met or not; a list in words is read as `parseCriteria` does. */
export interface CriteriaJudge extends JudgeBase {
  readonly criteria: Criteria | string;
}

/** A verdict of the author's own form. */
export interface VerdictJudge<Verdict> extends JudgeBase {
  readonly rubric: string;
  readonly verdict: z.ZodType<Verdict>;
  readonly score: (verdict: Verdict) => number | null;
}
