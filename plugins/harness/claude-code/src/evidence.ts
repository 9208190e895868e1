import type { ProgramResult } from '@vf/core';
import { stringOf } from '@vf/core/dialect';
import { jsonLines } from '@vf/harness-kit';
import type { CliEvidence } from '@vf/harness-kit';

/** Reads `--output-format stream-json`. A result's `subtype` says success even of a failure; `is_error` is the truth. */
export function evidenceOf({ stdout }: Pick<ProgramResult, 'stdout'>): CliEvidence {
  const events = jsonLines(stdout);
  const session = events.map(({ session_id }) => stringOf(session_id)).find((id) => id !== null);
  const result = events.findLast(({ type }) => type === 'result');
  if (result?.['is_error'] !== true) return { session: session ?? null, failure: null };
  const words = stringOf(result['result']) ?? stringOf(result['subtype']);
  return { session: session ?? null, failure: words ?? 'the result says is_error' };
}
