import type { Trace } from '@vf/core';
import { asName, cut, visible } from '../screen/one-line.ts';

/** A name and its cells; one without a name is a line of its own. */
export type InfoRow = readonly [name: string, cells: readonly string[]];

/** Shown by rows of their own, or of no meaning to a reader. */
const shownElsewhere = new Set([
  'users',
  'judged',
  'artifacts',
  'keptBox',
  'retries',
  'chosen',
  'vf',
]);
const longestCell = 80;
const mostLines = 12;
const mostRows = 60;

/** What hooks noted of a rollout: plain values beside each other, texts of several lines by their last ones. */
export function infoRows({ info }: Pick<Trace, 'info'>, isFull: boolean): InfoRow[] {
  const rows = Object.entries(info)
    .filter(([key]) => !shownElsewhere.has(key))
    .flatMap(([key, value]) => rowsOf(key, value, isFull));
  if (isFull || rows.length <= mostRows) return rows;
  return [...rows.slice(0, mostRows), ['', ['…; --full shows all']]];
}

function rowsOf(path: string, value: unknown, isFull: boolean): InfoRow[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : null;
  if (entries === null)
    return isPlain(value) ? [row(path, [plain(value)])] : block(path, value, isFull);
  const cells = entries.filter(([, item]) => isPlain(item) && item !== '');
  const others = entries.filter(([, item]) => !isPlain(item));
  const named = cells.map(([key, item]) =>
    Array.isArray(value) ? plain(item) : `${asName(key)} ${plain(item)}`,
  );
  return [
    ...(named.length === 0 ? [] : [row(path, named)]),
    ...others.flatMap(([key, item]) => rowsOf(`${path}.${key}`, item, isFull)),
  ];
}

function row(path: string, cells: readonly string[]): InfoRow {
  return ['info', [asName(path), ...cells]];
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= longestCell && !value.includes('\n');
  return typeof value !== 'object' || value === null;
}

function plain(value: unknown): string {
  return value === null ? '–' : asName(textOf(value));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function block(path: string, value: unknown, isFull: boolean): InfoRow[] {
  const lines = visible(textOf(value)).split('\n');
  const shown = isFull ? lines : lines.slice(-mostLines);
  const left = lines.length - shown.length;
  const words = isFull ? shown : shown.map((line) => cut(line, 200));
  return [
    row(path, left === 0 ? [] : [`the last ${shown.length} of ${lines.length} lines`]),
    ...words.map((line): InfoRow => ['', [`| ${line}`]]),
  ];
}
