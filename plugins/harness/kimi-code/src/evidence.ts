import type { ProgramResult } from '@vf/core';
import { stringOf } from '@vf/core/dialect';
import { jsonLines } from '@vf/harness-kit';

/** The session that `kimi --output-format stream-json` names in its last line; null when there is none. */
export function sessionOf({ stdout }: Pick<ProgramResult, 'stdout'>): string | null {
  const hint = jsonLines(stdout).findLast(({ type }) => type === 'session.resume_hint');
  return stringOf(hint?.['session_id']);
}
