import type { ReadReply } from '@vf/core';
import { checkCounts } from '../engine/check-counts.ts';
import { EngineFailed, noSample } from '../engine/engine-failed.ts';

/**
 * Holds what a chat endpoint tells of its ids against what it counted, and a reply that it gave up against one that ended.
 * @param room most ids that were asked for; null: as many as it likes
 * @throws EngineFailed
 */
export function checkAnswer(
  promptIds: readonly number[],
  ids: readonly number[],
  { usage, rawFinish }: Pick<ReadReply, 'usage' | 'rawFinish'>,
  room: number | null,
): void {
  if (rawFinish === 'abort') {
    throw new EngineFailed({
      status: 503,
      code: 'overloaded',
      message: 'vLLM gave the call up before its end',
    });
  }
  if (promptIds.length === 0) throw noSample('vLLM told no ids of the prompt');
  const foreign = promptIds.find((id) => !Number.isInteger(id) || id < 0 || id >= 2 ** 31);
  if (foreign !== undefined) throw noSample(`vLLM told ${foreign} as an id of the prompt`);
  checkCounts('vLLM', { promptIds: Int32Array.from(promptIds), room }, ids.length, {
    prompt: usage?.inputTokens ?? null,
    sampled: usage?.outputTokens ?? null,
  });
}
