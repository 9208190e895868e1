/** Records whose names people made up (rewards, error codes, stops, what cut short): those stay. A list is none. */
const madeUp = new Set(['rewards', 'metrics', 'weights', 'errors', 'stops', 'truncated']);

/** An object with its keys in snake_case, as they stand in files and on the wire. */
export function snake(fields: object): Record<string, unknown> {
  return renamed(fields, snakeName);
}

/** `topP` as `top_p`. */
export function snakeName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** An object of `snake` with the keys that it has in memory. */
export function camel(fields: object): Record<string, unknown> {
  return renamed(fields, (key) =>
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

type Rename = (key: string) => string;

function renamed(fields: object, rename: Rename): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => [
      rename(key),
      madeUp.has(key) ? named(value, rename) : inner(value, rename),
    ]),
  );
}

function named(value: unknown, rename: Rename): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return inner(value, rename);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, inner(item, rename)]),
  );
}

function inner(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map((item) => inner(item, rename));
  return typeof value === 'object' && value !== null ? renamed(value, rename) : value;
}
