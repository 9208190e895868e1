import { z } from '@vf/core';

type Json = Readonly<Record<string, unknown>>;

/** Keywords that providers’ structured output takes; what the others demand is checked when the reply is read. */
const kept = new Set([
  '$defs',
  '$ref',
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
]);

/** Keywords whose values are schemas by name. */
const named = new Set(['properties', '$defs']);

/** A schema as a provider is asked for it, and whether it may be held to it strictly: then every field is required. */
export function wireSchema(schema: z.ZodType): { readonly schema: Json; readonly strict: boolean } {
  const full = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const wire = trimmed(full);
  return { schema: wire, strict: isStrict(wire) };
}

function trimmed(schema: Json): Json {
  const entries = Object.entries(schema)
    .filter(([key]) => kept.has(key))
    .map(([key, value]) => [key, named.has(key) ? mapValues(value) : inner(value)] as const);
  const isObject = schema['type'] === 'object' && schema['properties'] !== undefined;
  return { ...Object.fromEntries(entries), ...(isObject ? { additionalProperties: false } : {}) };
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => inner(item));
  return typeof value === 'object' && value !== null ? trimmed(value as Json) : value;
}

function mapValues(value: unknown): unknown {
  const entries = Object.entries(value as Json).map(([key, one]) => [key, inner(one)] as const);
  return Object.fromEntries(entries);
}

function isStrict(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => isStrict(item));
  if (typeof value !== 'object' || value === null) return true;
  const { type, properties, required } = value as Json;
  if (type === 'object') {
    const names = Object.keys(properties ?? {});
    const all = Array.isArray(required) ? required : [];
    if (names.length === 0 || names.some((name) => !all.includes(name))) return false;
  }
  return Object.values(value).every((item) => isStrict(item));
}
