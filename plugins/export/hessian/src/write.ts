import { writeJsonLines } from '@vf/export-kit';
import { VfError } from '@vf/core/errors';
import { recordProblems } from './contract/validate.ts';
import { FileRules } from './contract/file-rules.ts';
import type { Trajectory } from './contract/trajectory.ts';

/** The record itself. @throws VfError config/invalid with every problem */
export function validateTrajectory(value: unknown): Trajectory {
  const problems = recordProblems(value);
  if (problems.length === 0) return value as Trajectory;
  throw new VfError('config/invalid', 'the record breaks hessian.trajectory.v1', { problems });
}

/**
 * Validates all records, then puts a file of them in the place of the one that was there.
 * @returns how many were written
 * @throws VfError config/invalid; the old file stays then
 */
export async function writeTrajectories(
  path: string,
  records: readonly Trajectory[],
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const rules = new FileRules();
  const problems = records.flatMap((record, at) => {
    const own = recordProblems(record);
    const found = own.length > 0 ? own : rules.add(record);
    return found.map(({ path: where, message }) => ({ path: `[${at}] ${where}`, message }));
  });
  if (problems.length > 0) {
    throw new VfError('config/invalid', 'records break hessian.trajectory.v1', { problems });
  }
  return writeJsonLines(path, each(records), signal);
}

// oxlint-disable-next-line require-await
async function* each<T>(items: readonly T[]): AsyncGenerator<T, void> {
  yield* items;
}
