import { cellsOf } from './cells.ts';
import { asName } from './one-line.ts';

/** Cells under each other, two spaces between columns; columns in `right` end alike. No cell breaks its row. */
export function alignRows(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
): string[] {
  const shown = rows.map((row) => row.map(asName));
  const widths: number[] = [];
  for (const row of shown)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cellsOf(cell));
  return shown.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - cellsOf(cell));
        return right.has(column) ? `${space}${cell}` : `${cell}${space}`;
      })
      .join('  ')
      .trimEnd(),
  );
}
