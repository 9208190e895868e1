import type { DropGate, RunComparison } from '@vf/run/compare';
import { visible } from '../screen/one-line.ts';
import type { ComparedRow } from './figures.ts';
import { comparedRows, number, pValue, range, signed } from './figures.ts';
import { gateReason } from './gate-text.ts';

/** The comparison as a JUnit report: a case for the gate, and one that always passes for each value. */
export function compareJunit(comparison: RunComparison, gate: DropGate | null): string {
  const rows = comparedRows(comparison);
  const failures = Number(gate !== null && !gate.passed);
  const suite = escaped(`vf compare ${comparison.a.run} ${comparison.b.run}`);
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${rows.length + 1}" failures="${failures}">`,
    `  <testsuite name="${suite}" tests="${rows.length + 1}" failures="${failures}" skipped="${Number(gate === null)}">`,
    `    <testcase classname="${suite}" name="max-drop">${gateBody(gate)}</testcase>`,
    ...rows.map((row) => rowCase(row, suite)),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')}\n`;
}

function gateBody(gate: DropGate | null): string {
  if (gate === null) return '<skipped message="no --max-drop was given"/>';
  if (gate.passed) return '';
  const reason = escaped(gateReason(gate));
  return `<failure type="max-drop" message="${reason}">${reason}</failure>`;
}

function rowCase({ name, value, digits }: ComparedRow, suite: string): string {
  const { a, b, difference, p } = value;
  const text = `A ${number(a, digits)}, B ${number(b, digits)}, B − A ${signed(difference.mean, digits)}, 95 % interval ${range(difference.interval, digits)}, p ${pValue(p)}, ${difference.tasks} tasks`;
  return `    <testcase classname="${suite}" name="${escaped(name)}"><system-out>${escaped(text)}</system-out></testcase>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** For content and attributes; what XML cannot hold at all is shown as an escape. */
function escaped(text: string): string {
  return visible(text)
    .toWellFormed()
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/[&<>"\n\t]/g, (char) => entities[char] ?? char);
}
