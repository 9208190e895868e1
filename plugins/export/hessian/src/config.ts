import { z } from '@vf/core';
import { sourceKinds } from './contract/trajectory.ts';

const text = z.string().min(1);

export const config = z.strictObject({
  sourceKind: z
    .enum(sourceKinds)
    .default('captured')
    .describe('captured: real inference; fixture: made data'),
  seed: z.number().int().nonnegative().optional().describe('of rollouts whose sampling names none'),
  logprobs: z.boolean().default(true).describe('leave out traces without behaviour logprobs'),
  policy: z
    .strictObject({
      modelId: text.optional().describe('default: the model that answered'),
      revision: text.describe('commit or digest of the weights'),
      tokenizerId: text.optional().describe('default: the model id'),
      tokenizerRevision: text.describe('commit or digest of the tokenizer'),
      chatTemplateSha256: text.describe('SHA-256 of the chat template in use, hex'),
    })
    .describe('identifies what sampled: revision, tokenizer_revision, chat_template_sha256, …'),
  harness: z
    .strictObject({
      version: text.optional().describe('default: the one in the trace'),
      revision: text.describe('commit or digest of the harness'),
    })
    .describe('identifies the orchestration: revision'),
  scorer: z
    .strictObject({
      name: text.optional().describe('default: the taskset'),
      revision: text.describe('of the scoring code'),
    })
    .describe('identifies the scoring: revision'),
});

export type Config = z.infer<typeof config>;
