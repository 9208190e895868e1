import type { ComparedSide, Flip, RunComparison } from '@vf/run/compare';
import { formatCount, formatScore } from '../screen/format.ts';
import { typedRun } from '../typed.ts';
import { asName, cut, oneLine } from '../screen/one-line.ts';
import { nameWidth } from '../screen/name-width.ts';
import type { Palette } from '../screen/palette.ts';
import { alignRows } from '../screen/table.ts';
import type { ComparedRow } from './figures.ts';
import { comparedRows, number, pValue, range, signed } from './figures.ts';

/** What `vf compare A B` prints. */
export function compareText(comparison: RunComparison, paint: Palette): string {
  const { a, b } = comparison;
  return [
    `${paint('bold', sideText('A', a))}    ${paint('bold', sideText('B', b))}         vf compare ${typedRun(a.dir, a.run)} ${typedRun(b.dir, b.run)}`,
    ...planLines(comparison),
    ...missingLines(comparison),
    ...tableLines(comparison),
    ...countLines(comparison),
  ].join('\n');
}

function sideText(letter: string, { run, about }: ComparedSide): string {
  const agents = (about?.harnesses ?? []).map(({ id, version }) =>
    version === null ? id : `${id} ${version}`,
  );
  return asName([`${letter} ${run}`, agents.join(', ')].filter((text) => text !== '').join('  '));
}

const widest = 100;

/** What differs and what does not: on one line where both fit. */
function planLines({ leading, same, tasks }: RunComparison): string[] {
  const differs = leading.length === 0 ? 'nothing that is recorded' : listed(leading.map(named));
  const alike = listed([`${formatCount(tasks.common)} tasks (by hash)`, ...same]);
  const one = `  differs  ${differs}           same  ${alike}`;
  const lines = one.length <= widest ? [one] : [`  differs  ${differs}`, `  same     ${alike}`];
  const others = [
    [tasks.changed.length, 'of another content'],
    [tasks.onlyA.length, 'in A only'],
    [tasks.onlyB.length, 'in B only'],
  ] as const;
  const notes = others.flatMap(([n, what]) => (n === 0 ? [] : [`${formatCount(n)} ${what}`]));
  return notes.length === 0 ? lines : [...lines, `  tasks    ${notes.join(', ')}`];
}

/** Versions stand in the first line already. */
function named({ path, a, b }: RunComparison['leading'][number]): string {
  if (path === 'harness.id' || path === 'harness.version') return path;
  return `${asName(path)} (${short(a)} → ${short(b)})`;
}

function short(value: unknown): string {
  if (value === null) return 'unset';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 40);
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, 12).map(asName);
  const more = items.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`${more} more (--json)`])].join(', ');
}

function missingLines({ a, b }: RunComparison): string[] {
  const text = ({ played, planned }: ComparedSide, letter: string): string[] =>
    planned === null || played >= planned
      ? []
      : [`${letter} has ${formatCount(played)} of ${formatCount(planned)} rollouts`];
  const lines = [...text(a, 'A'), ...text(b, 'B')];
  return lines.length === 0
    ? []
    : [`  missing  ${lines.join(', ')}; they are in no figure but the worst case`];
}

function tableLines(comparison: RunComparison): string[] {
  const rows = comparedRows(comparison);
  const cells = rows.map(cellsOf);
  const names = rows.map(({ level, name }) => asName(level === 'part' ? `  ${name}` : name));
  const first = nameWidth(names);
  const head = ['A', 'B', 'B − A', '95 % interval', 'p'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (name: string, row: readonly string[], note: string): string =>
    `  ${name.padEnd(first)} ${row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 3 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('   ')}${note === '' ? '' : `     ${note}`}`.trimEnd();
  return [
    line('', head, ''),
    ...rows.map((row, at) => line(names[at] ?? '', cells[at] ?? [], noteOf(row))),
  ];
}

function cellsOf({ value, digits }: ComparedRow): string[] {
  const { a, b, difference, p } = value;
  return [
    number(a, digits),
    number(b, digits),
    signed(difference.mean, digits),
    range(difference.interval, digits),
    pValue(p),
  ];
}

function noteOf({ level, value }: ComparedRow): string {
  const { tasks } = value.difference;
  if (level !== 'reward') return '';
  const what = tasks === 1 ? 'task in both: one has no interval' : 'tasks in both';
  return `${formatCount(tasks)} ${what}`;
}

function countLines({ flips, scoredOnlyIn, unscored, worstCase, reward }: RunComparison): string[] {
  const { aOnly, bOnly } = flips;
  const list = aOnly.length + bOnly.length === 0 ? '' : ' (--flips)';
  const counted = (n: readonly unknown[]): string => formatCount(n.length);
  const power =
    reward.detectable === null ? '' : `    80 % power for ${reward.detectable.toFixed(3)}`;
  return [
    `  flips    B only ${counted(bOnly)}, A only ${counted(aOnly)}${list}    scored only in A ${counted(scoredOnlyIn.a)}, only in B ${counted(scoredOnlyIn.b)}`,
    `  unscored ${formatCount(unscored.a)} and ${formatCount(unscored.b)}: worst case ${range(worstCase)}${power}`,
  ];
}

/** The tasks that one run solves and the other does not, those that only A solves first. */
export function flipsText({ flips }: RunComparison): string {
  const rows = [...flipRows('A only', flips.aOnly), ...flipRows('B only', flips.bOnly)];
  if (rows.length === 0) return 'no task is solved by one of them only';
  return alignRows([['TASK', 'SOLVED', 'A', 'B'], ...rows], new Set([2, 3])).join('\n');
}

function flipRows(which: string, flips: readonly Flip[]): string[][] {
  return flips.map(({ task, a, b }) => [
    cut(asName(task), 200),
    which,
    formatScore(a),
    formatScore(b),
  ]);
}
