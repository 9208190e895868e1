import type { DropGate, RunComparison } from '@vf/run/compare';
import { formatCount } from '../screen/format.ts';
import { asName } from '../screen/one-line.ts';
import { comparedRows, number, pValue, range, signed } from './figures.ts';
import { gateReason } from './gate-text.ts';

/** The comparison for a pull request's comment. */
export function compareMarkdown(comparison: RunComparison, gate: DropGate | null): string {
  const { a, b, reward, flips, unscored, worstCase, leading } = comparison;
  const rows = comparedRows(comparison).map(({ name, digits, value }) => [
    cell(name),
    number(value.a, digits),
    number(value.b, digits),
    signed(value.difference.mean, digits),
    range(value.difference.interval, digits),
    pValue(value.p),
  ]);
  return `${[
    `### ${cell(a.run)} → ${cell(b.run)}`,
    ...(gate === null ? [] : ['', gate.passed ? passedText(gate) : `❌ ${gateReason(gate)}`]),
    '',
    '| | A | B | B − A | 95 % interval | p |',
    '| --- | ---: | ---: | ---: | --- | ---: |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    `${formatCount(reward.difference.tasks)} tasks in both. Solved by B only ${flips.bOnly.length}, by A only ${flips.aOnly.length}. Unscored ${unscored.a} and ${unscored.b}, worst case ${range(worstCase)}.`,
    '',
    `Differs: ${leading.map(({ path }) => `\`${asName(path).replaceAll('`', '')}\``).join(', ') || 'nothing that is recorded'}.`,
    ...flipList('Solved by A only', flips.aOnly),
    ...flipList('Solved by B only', flips.bOnly),
  ].join('\n')}\n`;
}

function passedText({ maxDrop }: DropGate): string {
  return `✅ within --max-drop ${maxDrop}`;
}

const mostFlips = 50;

function flipList(title: string, flips: RunComparison['flips']['aOnly']): string[] {
  if (flips.length === 0) return [];
  const more = flips.length - mostFlips;
  return [
    '',
    `<details><summary>${title}: ${flips.length}</summary>`,
    '',
    ...flips
      .slice(0, mostFlips)
      .map(({ task, a, b }) => `- ${cell(task)} ${number(a)} → ${number(b)}`),
    ...(more > 0 ? [`- … ${more} more`] : []),
    '',
    '</details>',
  ];
}

/** Text of runs and tasks stays text: in one cell, without markup. */
function cell(text: string): string {
  return asName(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/([\\`*_[\]|#])/g, '\\$1')
    .replaceAll(/\s+/g, ' ');
}
