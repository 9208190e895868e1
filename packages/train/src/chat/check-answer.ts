import { checkContext, checkCounts } from '../engine/check-counts.ts';
import { EngineFailed, noSample } from '../engine/engine-failed.ts';
import type { ChatAnswer } from './chat-answer.ts';
import type { ChatSpace } from './chat-space.ts';

/** What a chat endpoint told of ids, with the reply that they are of. */
export interface ToldIds extends Omit<ChatAnswer, 'promptIds' | 'ids'> {
  readonly promptIds: readonly number[];
  readonly ids: readonly number[];
}

/** Where nobody knows the vocabulary: ids are whole numbers of 32 bits. */
export const anyVocabulary = 2 ** 31;

/**
 * Holds what a chat endpoint tells of its ids against what it counted, against the space of ids and against the ids that
 * its logprobs are of, and a reply that it gave up against one that ended.
 * @param room most ids that were asked for; null: as many as it likes
 * @throws EngineFailed
 */
export function checkAnswer(
  { promptIds, ids, logprobIds, reply: { usage, rawFinish } }: ToldIds,
  room: number | null,
  { vocabulary, context }: ChatSpace,
): void {
  if (rawFinish === 'abort') {
    throw new EngineFailed({
      status: 503,
      code: 'overloaded',
      message: 'vLLM gave the call up before its end',
    });
  }
  if (promptIds.length === 0) throw noSample('vLLM told no ids of the prompt');
  const limit = vocabulary ?? anyVocabulary;
  const foreign = promptIds.find((id) => !Number.isInteger(id) || id < 0 || id >= limit);
  if (foreign !== undefined) {
    throw noSample(`vLLM told ${foreign} as an id of the prompt, of a vocabulary of ${limit}`);
  }
  checkCounts('vLLM', { promptIds: Int32Array.from(promptIds), room }, ids.length, {
    prompt: usage?.inputTokens ?? null,
    sampled: usage?.outputTokens ?? null,
  });
  checkContext('vLLM', promptIds.length, ids.length, context);
  if (logprobIds.includes(-1)) {
    throw noSample(
      'vLLM told logprobs without their ids: is it older than return_tokens_as_token_ids?',
    );
  }
  if (logprobIds.some((id, at) => id !== ids[at])) {
    throw noSample(`vLLM told the logprobs of other tokens than the ${ids.length} sampled`);
  }
}
