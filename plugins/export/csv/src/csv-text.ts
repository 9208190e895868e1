import type { Cell, Column, Row } from '@vf/export-kit';

/** The header and the rows as RFC 4180 has them: commas, CRLF, quotes doubled inside quotes. */
export async function* csvLines(
  columns: readonly Column[],
  rows: AsyncIterable<Row>,
): AsyncGenerator<string, void> {
  yield record(columns.map(({ name }) => name));
  for await (const row of rows) yield record(columns.map(({ name }) => row[name] ?? null));
}

function record(cells: readonly Cell[]): string {
  return `${cells.map(field).join(',')}\r\n`;
}

/** Unknown is an empty field, an empty text a quoted one. */
function field(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  return cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
