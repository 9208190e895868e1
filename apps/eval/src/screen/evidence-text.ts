import type { TaskVerdict } from '@vf/run';
import { row } from '../show/header.ts';
import { infoRows } from '../show/info-rows.ts';
import { formatCount, formatPath } from './format.ts';
import { asName } from './one-line.ts';

/** Tasks whose plays are shown. */
const mostShown = 10;

/** What the plays left that `vf validate` found faults in: what hooks noted of them, and where their files are. */
export function evidenceText(verdicts: readonly TaskVerdict[]): string {
  const unsound = verdicts.filter(({ evidence }) => evidence.length > 0);
  const rest = unsound.length - mostShown;
  return [
    ...unsound.slice(0, mostShown).flatMap(linesOf),
    ...(rest > 0 ? [`… and ${formatCount(rest)} more; --json has each`] : []),
  ].join('\n');
}

const whose = { reference: 'the reference solution', nothing: 'doing nothing' };

function linesOf({ task, evidence }: TaskVerdict): string[] {
  return evidence.flatMap(({ of, info, kept }) => {
    const rows = [
      ...infoRows({ info }, false),
      ...(kept === null ? [] : [['kept', [asName(formatPath(kept))]] as const]),
    ];
    if (rows.length === 0) return [];
    return [`${asName(task)}, ${whose[of]}:`, ...rows.map(([name, cells]) => row(name, cells))];
  });
}
