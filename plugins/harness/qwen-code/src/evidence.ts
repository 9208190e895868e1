import type { ProgramResult } from '@vf/core';
import { objectOf, stringOf } from '@vf/core/dialect';
import { jsonLines } from '@vf/harness-kit';
import type { CliEvidence } from '@vf/harness-kit';

/** Reads `-o stream-json`; the last result's `is_error` is the truth. */
export function evidenceOf({ stdout }: Pick<ProgramResult, 'stdout'>): CliEvidence {
  const events = jsonLines(stdout);
  const session = events.map(({ session_id }) => stringOf(session_id)).find((id) => id !== null);
  const result = events.findLast(({ type }) => type === 'result');
  if (result?.['is_error'] !== true) return { session: session ?? null, failure: null };
  const words = stringOf(objectOf(result['error'])['message']) ?? stringOf(result['subtype']);
  return { session: session ?? null, failure: words ?? 'the result says is_error' };
}
