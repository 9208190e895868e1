import { z } from '@vf/core';
import { sourceKinds } from './contract/trajectory.ts';

const text = z.string().min(1);

export const config = z.strictObject({
  modelRevision: text.describe('commit or digest of the weights'),
  tokenizerRevision: text
    .optional()
    .describe(
      'commit or digest of the tokenizer; default: SHA-256 of its tokenizer.json, as the trace has it',
    ),
  chatTemplateSha256: text
    .optional()
    .describe('SHA-256 of the chat template in use, hex; default: that of the trace'),
  harnessRevision: text.describe('commit or digest of the harness'),
  scorerRevision: text.describe('of the code that scored'),
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
