export type Table = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A fault of a file, by the path of keys it is about. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
