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

/** Of a rollout and of a turn alike. */
export const usageAndTimeColumns: readonly Column[] = [
  { name: 'input_tokens', type: 'integer' },
  { name: 'cached_input_tokens', type: 'integer' },
  { name: 'output_tokens', type: 'integer' },
  { name: 'reasoning_tokens', type: 'integer' },
  { name: 'cost', type: 'number' },
  { name: 'start', type: 'number' },
  { name: 'seconds', type: 'number' },
];
