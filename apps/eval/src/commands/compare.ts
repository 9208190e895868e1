import { VfError } from '@vf/core/errors';
import { findRun } from '@vf/store';
import { compareRuns, dropGate } from '@vf/run/compare';
import type { Allowed, DropGate, RunComparison } from '@vf/run/compare';
import { parseCommandLine } from '../args/parse-args.ts';
import type { ParsedArgs } from '../args/parse-args.ts';
import { compareText, flipsText } from '../compare/compare-text.ts';
import { gateText } from '../compare/gate-text.ts';
import { compareJunit } from '../compare/junit.ts';
import { compareMarkdown } from '../compare/markdown.ts';
import { printDocument, printText } from '../json/print.ts';
import { mask } from '../masking.ts';
import { outputDir } from '../output-dir.ts';
import { paletteOf } from '../screen/palette.ts';
import { tellUnread } from '../show/tell-unread.ts';
import { typedRun } from '../typed.ts';
import { writeReport } from '../write-report.ts';

/** `vf compare A B` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['flips', 'strict', 'json'],
    values: ['allow', 'max-drop', 'junit', 'markdown', 'output-dir'],
    lists: ['allow'],
    config: false,
  });
  const [a, b, ...rest] = args.positionals;
  if (a === undefined || b === undefined || rest.length > 0)
    throw new VfError('usage/invalid', 'which two runs?', {
      hint: 'vf compare A B; vf show lists the runs',
    });
  const maxDrop = maxDropOf(args);
  const allow = allowedOf(args);
  const folder = outputDir(args);
  const [dirA, dirB] = [await findRun(folder, a), await findRun(folder, b)];
  for (const dir of [dirA, dirB]) await tellUnread(dir);
  const comparison = await compareRuns(dirA, dirB, allow);
  const gate = maxDrop === null ? null : dropGate(comparison, maxDrop, args.booleans.has('strict'));
  await writeReports(args, comparison, gate);
  print(args, comparison, gate);
  if (gate === null || gate.passed) return 0;
  const { a: sideA, b: sideB } = comparison;
  const runs = [typedRun(sideA.dir, sideA.run), typedRun(sideB.dir, sideB.run)] as const;
  process.stderr.write(mask(`${gateText(gate, runs)}\n`));
  return 5;
}

function print({ booleans }: ParsedArgs, comparison: RunComparison, gate: DropGate | null): void {
  if (booleans.has('json')) printDocument({ comparison, gate });
  else if (booleans.has('flips')) printText(flipsText(comparison));
  else printText(compareText(comparison, paletteOf(process.stdout)));
}

async function writeReports(
  { values }: ParsedArgs,
  comparison: RunComparison,
  gate: DropGate | null,
): Promise<void> {
  const junit = values.get('junit');
  if (junit !== undefined) await writeReport(junit, mask(compareJunit(comparison, gate)));
  const markdown = values.get('markdown');
  if (markdown !== undefined) await writeReport(markdown, mask(compareMarkdown(comparison, gate)));
}

function maxDropOf({ values, booleans }: ParsedArgs): number | null {
  const text = values.get('max-drop');
  if (text === undefined) {
    if (!booleans.has('strict')) return null;
    throw new VfError('usage/invalid', '--strict needs a bound', {
      hint: '--max-drop 0.02 --strict',
    });
  }
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new VfError('usage/invalid', `--max-drop ${text} is no number from 0 on`, {
    hint: '--max-drop 0.02',
  });
}

function allowedOf({ values }: ParsedArgs): ReadonlySet<Allowed> {
  const words = (values.get('allow') ?? '').split(',').filter((word) => word !== '');
  const known: readonly string[] = ['tasks', 'scoring'];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new VfError('usage/invalid', `--allow ${unknown} is not known`, {
      hint: '--allow tasks, --allow scoring',
    });
  return new Set(words as Allowed[]);
}
