import { errorCodes, VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { asName, visible } from './one-line.ts';
import { plain } from './palette.ts';
import type { Palette } from './palette.ts';

/** An error as a person reads it: what is wrong, where, what to type, and the permanent code last. */
export function errorText(error: VfError, paint: Palette = plain): string {
  const lines = [
    `${paint('red', 'vf:')} ${messageOf(error)}`,
    ...problemLines(inOrder(error.problems, error.message), paint),
    ...(error.hint === null ? [] : [`  ${fixText(error.hint, paint)}`]),
  ];
  lines.push(`${lines.pop() ?? ''}   ${paint('dim', `[${error.code}]`)}`);
  if (error.code.startsWith('internal/')) lines.push(stackOf(error));
  return lines.join('\n');
}

/** What was typed wrong is told on one line, with the names in it as they are; a program may have left more of them. */
function messageOf({ code, message }: VfError): string {
  return code.startsWith('usage/') ? asName(message) : visible(message);
}

/** Anything that was thrown, as an error of ours; what vf did not expect is a fault of vf. */
export function asVfError(error: unknown): VfError {
  if (VfError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new VfError('internal/unexpected', `${errorCodes['internal/unexpected']}: ${message}`, {
    cause: error,
    hint: 'report it with the lines below',
  });
}

/** Columns wider than this are not padded for. */
const widest = 60;

/**
 * By file and line, what has no place at all last; a problem that only repeats the first line, and has no place in a
 * file, is left out.
 */
function inOrder(problems: readonly Problem[], message: string): Problem[] {
  const repeats = (text: string): boolean => text === message || message.startsWith(`${text}. `);
  return problems
    .filter(
      (problem) =>
        problem.line !== undefined || ![problem.message, withNearest(problem)].some(repeats),
    )
    .toSorted(
      (a, b) =>
        Number(isPlaceless(a)) - Number(isPlaceless(b)) ||
        compare(a.file ?? '', b.file ?? '') ||
        (a.line ?? 0) - (b.line ?? 0),
    );
}

function isPlaceless({ file, path }: Problem): boolean {
  return file === undefined && path === undefined;
}

function withNearest({ message, nearest }: Problem): string {
  return nearest === undefined ? message : `${message}; nearest: ${nearest}`;
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Of one error; who needs them all has --json. */
const mostShown = 200;

function problemLines(all: readonly Problem[], paint: Palette): string[] {
  const problems = all.slice(0, mostShown);
  const more = all.length - problems.length;
  const places = problems.map(placeOf);
  const paths = problems.map(({ path }) => asName(path ?? ''));
  const placeWidth = widthOf(places);
  const pathWidth = widthOf(paths);
  const lines = problems.map((problem, i) => {
    const { message, nearest, fix } = problem;
    if (isPlaceless(problem) && fix === undefined) return `  ${visible(message)}`;
    const cells = [
      ...(placeWidth === 0 ? [] : [(places[i] ?? '').padEnd(placeWidth)]),
      ...(pathWidth === 0 ? [] : [(paths[i] ?? '').padEnd(pathWidth)]),
      `${visible(message)}${nearest === undefined ? '' : `; nearest: ${asName(nearest)}`}`,
    ];
    return `  ${cells.join('  ')}${fix === undefined ? '' : `    ${fixText(fix, paint)}`}`;
  });
  return more === 0 ? lines : [...lines, `  and ${more} more problems`];
}

function fixText(fix: string, paint: Palette): string {
  return `${paint('green', 'fix:')} ${visible(fix)}`;
}

function widthOf(cells: readonly string[]): number {
  return cells.reduce((width, { length }) => Math.min(widest, Math.max(width, length)), 0);
}

function placeOf({ file, line, column }: Problem): string {
  if (file === undefined) return '';
  return [file, line, column]
    .filter((part) => part !== undefined)
    .map(String)
    .map(asName)
    .join(':');
}

function stackOf(error: VfError): string {
  const { cause } = error;
  const stack = cause instanceof Error ? cause.stack : error.stack;
  return (stack ?? '')
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
