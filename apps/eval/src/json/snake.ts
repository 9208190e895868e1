/** Names that the run gives are renamed; those that users made up (rewards, error codes, stops) stay. */
const madeUp = new Set(['rewards', 'metrics', 'weights', 'errors', 'stops']);

/** An object with its keys in snake_case, as they stand on the wire. */
export function snake(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => {
      const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [name, madeUp.has(key) ? named(value) : inner(value)];
    }),
  );
}

function named(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inner(item)]));
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return typeof value === 'object' && value !== null ? snake(value) : value;
}
