import type { ProgramResult } from '@vf/core';
import { objectOf, stringOf } from '@vf/core/dialect';
import { jsonLines } from '@vf/harness-kit';
import type { CliEvidence } from '@vf/harness-kit';

/** Reads the events of `opencode run --format json`. An event of type error is the truth, whatever the exit code. */
export function evidenceOf({ stdout }: Pick<ProgramResult, 'stdout'>): CliEvidence {
  const events = jsonLines(stdout);
  const session = events.map(({ sessionID }) => stringOf(sessionID)).find((id) => id !== null);
  const failed = events.findLast(({ type }) => type === 'error');
  if (failed === undefined) return { session: session ?? null, failure: null };
  const error = objectOf(failed['error']);
  const words = stringOf(objectOf(error['data'])['message']) ?? stringOf(error['name']);
  return { session: session ?? null, failure: words ?? 'error' };
}
