import type { ProgramResult } from '@vf/core';
import { objectOf, stringOf } from '@vf/core/dialect';
import { jsonLines } from '@vf/harness-kit';
import type { CliEvidence } from '@vf/harness-kit';

/** Reads the events of `codex exec --json`. Items of type error come in good runs too; `turn.failed` is the truth. */
export function evidenceOf({ stdout }: Pick<ProgramResult, 'stdout'>): CliEvidence {
  const events = jsonLines(stdout);
  const started = events.find(({ type }) => type === 'thread.started');
  const failed = events.find(({ type }) => type === 'turn.failed');
  const words = stringOf(objectOf(failed?.['error'])['message']);
  return {
    session: stringOf(started?.['thread_id']),
    failure: failed === undefined ? null : (words ?? 'turn.failed'),
  };
}
