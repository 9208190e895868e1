export type JsonObject = Readonly<Record<string, unknown>>;

/** True for what JSON writes in braces; lists are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a record of ours that say something: undefined and null ones are left out. */
export function compact(fields: JsonObject): JsonObject {
  const kept: Record<string, unknown> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && value !== null) kept[key] = value;
  }
  return kept;
}

/** `fields`, or undefined when there are none. */
export function orNone(fields: JsonObject): JsonObject | undefined {
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/**
 * `base` with all of `patch` in it: objects merge, everything else replaces. A patch of a list is an
 * object keyed by index, as `Fields.rest` gives it.
 */
function overlay(base: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (Array.isArray(base)) {
    return base.map((item: unknown, index) =>
      Object.hasOwn(patch, index) ? overlay(item, patch[index]) : item,
    );
  }
  if (!isObject(base)) return patch;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    merged.set(key, merged.has(key) ? overlay(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}

/** A record with the fields that its reader did not know. */
export function withUnknown(record: JsonObject, unknown: JsonObject | undefined): JsonObject {
  return unknown === undefined ? record : (overlay(record, unknown) as JsonObject);
}

/** As `Object.assign`, but `__proto__` is a key like any other. */
export function assignAll(target: object, source: JsonObject): void {
  for (const [key, value] of Object.entries(source)) {
    const field = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(target, key, field);
  }
}
