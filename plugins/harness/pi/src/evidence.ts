import type { ProgramResult } from '@vf/core';
import { objectOf, stringOf } from '@vf/core/dialect';
import { jsonLines } from '@vf/harness-kit';

/**
 * Reads the events of `pi --mode json`, which ends with exit code 0 whatever happened; the last assistant message is
 * the truth.
 * @returns why the turn failed; null when it did not
 */
export function failureOf({ stdout }: Pick<ProgramResult, 'stdout'>): string | null {
  const last = jsonLines(stdout)
    .filter(({ type }) => type === 'message_end')
    .map(({ message }) => objectOf(message))
    .findLast(({ role }) => role === 'assistant');
  if (last?.['stopReason'] !== 'error') return null;
  return stringOf(last['errorMessage']) ?? 'its last message says error';
}
