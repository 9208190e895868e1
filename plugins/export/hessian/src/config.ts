import { z } from '@vf/core';
import { nonEmptyText } from './contract/checks.ts';
import type { Check } from './contract/checks.ts';
import { sourceKinds } from './contract/trajectory.ts';
import { revision, sha256 } from './contract/validate.ts';

/** Held against the rule that each record would break. */
function held(check: Check): z.ZodString {
  return z.string().check(({ value, issues }) => {
    check(value, '', (_path, message) => issues.push({ code: 'custom', input: value, message }));
  });
}

const text = held(nonEmptyText);

export const config = z.strictObject({
  modelRevision: held(revision).describe('commit or digest of the weights'),
  tokenizerRevision: held(revision)
    .optional()
    .describe(
      'commit or digest of the tokenizer; default: SHA-256 of its tokenizer.json, as the trace has it',
    ),
  chatTemplateSha256: held(sha256)
    .optional()
    .describe('SHA-256 of the chat template in use, hex; default: that of the trace'),
  harnessRevision: held(revision).describe('commit or digest of the harness'),
  scorerRevision: held(revision).describe('of the code that scored'),
  modelId: text.optional().describe('default: the model that answered'),
  tokenizerId: text.optional().describe('default: the model id'),
  harnessVersion: text.optional().describe('default: the one in the trace'),
  scorer: text.optional().describe('default: the taskset'),
  seed: z.number().int().nonnegative().optional().describe('of rollouts whose sampling names none'),
  sourceKind: z
    .enum(sourceKinds)
    .optional()
    .describe(
      'captured: real inference; fixture: made data; default: what the trace says, else captured',
    ),
  logprobs: z.boolean().default(true).describe('leave out traces without behaviour logprobs'),
});

export type Config = z.infer<typeof config>;
