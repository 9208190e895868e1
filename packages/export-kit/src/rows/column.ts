/** A value of a flat table; null is unknown or not scored, never 0. */
export type Cell = string | number | boolean | null;

/** What a column holds; `integer` and `number` are not interchangeable for a typed file. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** Cells by column name; one that is absent is null. */
export type Row = Readonly<Record<string, Cell>>;
