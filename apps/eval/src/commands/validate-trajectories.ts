import { existsSync, statSync } from 'node:fs';
import { VfError } from '@vf/core/errors';
import { schemaVersion, trajectoryLines } from '@vf/export-hessian';
import type { RecordProblem } from '@vf/export-hessian';
import { parseCommandLine } from '../args/parse-args.ts';
import { printDocument, printText } from '../json/print.ts';
import { formatCount, formatCounted } from '../screen/format.ts';
import { visible } from '../screen/one-line.ts';

type Problem = RecordProblem & { readonly line: number };

/** `vf validate-trajectories FILE` @returns 0, or 5 when a line breaks the contract or there is no episode at all */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, { booleans: ['json'], values: [], config: false });
  const [file, ...rest] = args.positionals;
  if (file === undefined || rest.length > 0)
    throw new VfError('usage/invalid', 'which file?', { hint: 'vf validate-trajectories FILE' });
  if (!existsSync(file))
    throw new VfError('usage/not_found', `there is no file ${file}`, { hint: 'check the path' });
  if (statSync(file).isDirectory())
    throw new VfError('usage/invalid', `${file} is a folder`, { hint: 'name one file' });
  const problems: Problem[] = [];
  let records = 0;
  for await (const line of trajectoryLines(file)) {
    records += Number(line.record !== null);
    problems.push(...line.problems.map((problem) => ({ line: line.line, ...problem })));
  }
  // What holds nothing proves nothing.
  if (records === 0 && problems.length === 0)
    problems.push({ line: 1, path: '', message: 'holds no episode' });
  if (args.booleans.has('json')) printDocument({ file, records, problems });
  else printText(text(file, records, problems));
  return problems.length === 0 ? 0 : gateFailed;
}

const gateFailed = 5;

function text(file: string, records: number, problems: readonly Problem[]): string {
  if (records === 0 && isForeign(problems))
    return `${file}: no hessian file: none of its ${formatCount(linesOf(problems))} lines has schema_version "${schemaVersion}"`;
  const lines = problems.map(({ line, path, message }) =>
    visible([`${file}:${line}`, path, message].filter((part) => part !== '').join('  ')),
  );
  const verdict =
    problems.length === 0
      ? `${file}: ${formatCounted(records, 'episode')} ${records === 1 ? 'keeps' : 'keep'} ${schemaVersion}`
      : `${file}: ${formatCounted(problems.length, 'problem')} on ${formatCounted(linesOf(problems), 'line')}, ${formatCounted(records, 'sound episode')}`;
  return [...lines, verdict].join('\n');
}

/** Does each line say that it is of something else, or of nothing? */
function isForeign(problems: readonly Problem[]): boolean {
  const foreign = problems.filter(({ path }) => path === 'schema_version');
  return foreign.length > 0 && linesOf(foreign) === linesOf(problems);
}

function linesOf(problems: readonly Problem[]): number {
  return new Set(problems.map(({ line }) => line)).size;
}
