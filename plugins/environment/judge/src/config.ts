import { VfError, z } from '@vf/core';
import { formOf } from './form-of.ts';

export const config = z
  .object({
    /** What to judge by, in words; answered with one number on `scale`. */
    rubric: z.string().min(1).optional(),
    /** In its place: criteria, each met or not; one `- name (weight 2): text` a line. */
    criteria: z.string().min(1).optional(),
    scale: z.tuple([z.number(), z.number()]).default([0, 1]),
    /** `solver`: the judge works where the solver did; `own`: in a fresh box, from the conversation alone. */
    box: z.enum(['solver', 'own']).default('solver'),
    /** Show the judge the solver's conversation. */
    transcript: z.boolean().default(true),
    /** Name and weight of the solver's reward. */
    reward: z.string().min(1).default('judged'),
    weight: z.number().default(1),
  })
  .superRefine((given, context) => {
    try {
      formOf(given);
    } catch (error) {
      if (!VfError.isInstance(error)) throw error;
      context.addIssue({ code: 'custom', message: error.message, input: given });
    }
  });

export type JudgeConfig = z.output<typeof config>;
