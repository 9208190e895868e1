import { isUtf8 } from 'node:buffer';
import { readByteLines } from '@vf/export-kit';
import { VfError } from '@vf/core/errors';
import { recordProblems } from './contract/validate.ts';
import type { RecordProblem } from './contract/checks.ts';
import { FileRules } from './contract/file-rules.ts';
import type { Trajectory } from './contract/trajectory.ts';
import { WholeFloat, strictJson } from './strict-json.ts';

/** A line of a file: its record, or what is wrong with it. */
export type TrajectoryLine =
  | { readonly line: number; readonly record: Trajectory; readonly problems: readonly [] }
  | { readonly line: number; readonly record: null; readonly problems: readonly RecordProblem[] };

/** The lines of a file, from 1, each held against the contract; one in memory at a time. */
export async function* trajectoryLines(path: string): AsyncGenerator<TrajectoryLine, void> {
  const rules = new FileRules();
  let line = 0;
  let isBlank = false;
  for await (const bytes of readByteLines(path)) {
    const text = bytes.toString('utf8');
    if (isBlank) yield { line, record: null, problems: [{ path: '', message: 'is blank' }] };
    line++;
    // A blank line is harmless as the last one only, so it is told when another follows.
    isBlank = text.trim() === '';
    if (isBlank) continue;
    if (isUtf8(bytes)) yield { line, ...readRecord(text, rules) };
    else yield { line, record: null, problems: [{ path: '', message: 'is no UTF-8' }] };
  }
}

function readRecord(text: string, rules: FileRules) {
  try {
    const { value, duplicates } = strictJson(text);
    const twice = duplicates.map((path) => ({ path, message: 'is a key that stands twice' }));
    const problems = [...twice, ...recordProblems(value)];
    if (problems.length > 0) return { record: null, problems };
    const record = plain(value) as Trajectory;
    const between = rules.add(record);
    if (between.length > 0) return { record: null, problems: between };
    return { record, problems: [] as const };
  } catch (error) {
    return { record: null, problems: [{ path: '', message: whyUnread(error) }] };
  }
}

/** @throws what is no fault of the line */
function whyUnread(error: unknown): string {
  if (error instanceof SyntaxError) return `is no JSON: ${error.message}`;
  // The stack does not reach to the bottom of it.
  if (error instanceof RangeError) return 'is nested too deep';
  throw error;
}

/** Numbers as JavaScript has them. */
function plain(value: unknown): unknown {
  if (value instanceof WholeFloat) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/**
 * Reads a whole file; one bad line fails it.
 * @throws VfError store/damaged with every problem and its line
 */
export async function readTrajectories(path: string): Promise<Trajectory[]> {
  const records: Trajectory[] = [];
  const problems: { file: string; line: number; path: string; message: string }[] = [];
  for await (const { line, record, problems: found } of trajectoryLines(path)) {
    if (record === null) problems.push(...found.map((each) => ({ file: path, line, ...each })));
    else records.push(record);
  }
  if (problems.length === 0) return records;
  throw new VfError('store/damaged', `${path} breaks hessian.trajectory.v1`, { problems });
}
