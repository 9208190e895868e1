import type { Usage } from '../../call.ts';
import { integer, number } from './fields.ts';
import type { Fields } from './fields.ts';
import { compact } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

/** `prompt_tokens` leaves out cache reads; cache writes have no place here and go to `info.vf`. */
export function writeUsage(usage: Usage, cost: number | null = null): JsonObject {
  return compact({
    prompt_tokens: usage.inputTokens - (usage.cachedInputTokens ?? 0),
    completion_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    reasoning_tokens: usage.reasoningTokens,
    cost: usage.cost ?? cost,
  });
}

export function readUsage(fields: Fields, cacheWriteTokens?: number | null): Usage {
  const cachedInputTokens = fields.optional('cached_input_tokens', integer);
  const reasoningTokens = fields.optional('reasoning_tokens', integer);
  const cost = fields.optional('cost', number);
  return {
    inputTokens: fields.required('prompt_tokens', integer) + (cachedInputTokens ?? 0),
    outputTokens: fields.required('completion_tokens', integer),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(cacheWriteTokens == null ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}
