import { createHash } from 'node:crypto';
import type { Sampling, SideQuestion } from '@vf/core';
import { sortedJson } from '@vf/core/trace';

/** Questions with the same key have the same answer: model, words, sampling, format and vote. SHA-256, hex. */
export function questionKey(model: string, sampling: Sampling, question: SideQuestion): string {
  const { messages, format, vote = 0 } = question;
  const asked = { model, sampling, messages, format: format ?? null, vote };
  return createHash('sha256').update(sortedJson(asked)).digest('hex');
}
