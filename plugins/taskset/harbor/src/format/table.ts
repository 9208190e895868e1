export type Table = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The table at a key; an empty one where there is none. */
export function tableAt(table: Table, key: string): Table {
  const value = table[key];
  return isTable(value) ? value : {};
}

/** A fault of a file, by the path of keys it is about. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
