import { errorCodes, VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';

/** An error as a person reads it: what is wrong, where, what to type, and the permanent code last. */
export function errorText(error: VfError): string {
  const lines = [`vf: ${error.message}`, ...problemLines(error.problems)];
  if (error.hint !== null) lines.push(`  fix: ${error.hint}`);
  lines.push(`${lines.pop() ?? ''}   [${error.code}]`);
  if (error.code.startsWith('internal/')) lines.push(stackOf(error));
  return lines.join('\n');
}

/** Anything that was thrown, as an error of ours; what vf did not expect is a fault of vf. */
export function asVfError(error: unknown): VfError {
  if (VfError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new VfError('internal/unexpected', `${errorCodes['internal/unexpected']}: ${message}`, {
    cause: error,
  });
}

function problemLines(problems: readonly Problem[]): string[] {
  const rows = problems.map((problem) => [
    placeOf(problem),
    problem.path ?? '',
    problem.nearest === undefined
      ? problem.message
      : `${problem.message}; nearest: ${problem.nearest}`,
    problem.fix === undefined ? '' : `fix: ${problem.fix}`,
  ]);
  const used =
    rows[0]?.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => {
    const cells = row.flatMap((cell, column) =>
      (used[column] ?? 0) === 0 ? [] : [cell.padEnd(Math.min(used[column] ?? 0, widest))],
    );
    return `  ${cells.join('  ').trimEnd()}`;
  });
}

/** Columns wider than this are not padded for. */
const widest = 60;

function placeOf({ file, line, column }: Problem): string {
  if (file === undefined) return '';
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

function stackOf(error: VfError): string {
  const { cause } = error;
  const stack = cause instanceof Error ? cause.stack : error.stack;
  return (stack ?? '')
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
