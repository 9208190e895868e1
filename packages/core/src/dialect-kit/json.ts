/** A JSON object with unknown fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

const nothing: JsonObject = Object.freeze({});
const noItems: readonly unknown[] = Object.freeze([]);

/** Is it an object, and no list? */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is something else. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : nothing;
}

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : noItems;
}

/** The value when it is a string, else `null`. */
export function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The value when it is a finite number, else `null`. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The value when it is a boolean, else `null`. */
export function booleanOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Parses JSON of unknown origin; `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** JSON of a parsed value; a value nested too deeply for the engine's stack gives `null`. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return 'null';
  }
}

/** The object without these keys. */
export function omit(value: JsonObject, keys: readonly string[]): JsonObject {
  const kept = Object.keys(value).filter((key) => !keys.includes(key));
  return Object.fromEntries(kept.map((key) => [key, value[key]]));
}

/** The fields that are there: `null` and `undefined` ones are left out. */
export function present<T extends object>(fields: { [K in keyof T]: T[K] | null | undefined }): T {
  const kept: Record<string, unknown> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value != null) kept[key] = value;
  }
  return kept as T;
}
