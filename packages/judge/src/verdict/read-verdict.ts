import { z } from '@vf/core';
import { findJson } from './find-json.ts';

/** A reply as a verdict, or what is wrong with it in words for the model. */
export type ReadVerdict<Verdict> =
  | { readonly verdict: Verdict; readonly problem: null }
  | { readonly verdict: null; readonly problem: string };

/** Reads the JSON object of a reply and checks it. */
export function readVerdict<Verdict>(
  reply: string,
  schema: z.ZodType<Verdict>,
): ReadVerdict<Verdict> {
  const value = findJson(reply);
  if (value === undefined)
    return {
      verdict: null,
      problem: reply.trim() === '' ? 'it is empty' : 'it holds no JSON object',
    };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { verdict: parsed.data, problem: null };
  return { verdict: null, problem: z.prettifyError(parsed.error).slice(0, longestProblem) };
}

const longestProblem = 1_000;
