import { z } from '@vf/core';
import { nearest } from '@vf/core/errors';
import { isTable } from './table.ts';

/**
 * Dotted paths of keys that the schema does not name, each with the key that may be meant: Harbor ignores them, though
 * most are slips.
 */
export function unknownKeys(value: unknown, schema: z.ZodType, path = ''): string[] {
  const inner = unwrapped(schema);
  if (Array.isArray(value) && inner instanceof z.ZodArray)
    return value.flatMap((item: unknown, i) =>
      unknownKeys(item, typed(inner.element), `${path}[${i}]`),
    );
  if (!isTable(value) || !(inner instanceof z.ZodObject) || isLoose(inner)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const known = Object.hasOwn(inner.shape, key) ? typed(inner.shape[key]) : null;
    return known === null ? [withNearest(at, key, inner)] : unknownKeys(item, known, at);
  });
}

function withNearest(path: string, key: string, { shape }: z.ZodObject): string {
  const meant = nearest(key, Object.keys(shape));
  return meant === null ? path : `${path} (nearest: ${meant})`;
}

/** What is inside optional and default; of a union, its table. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return unwrapped(typed(schema.unwrap()));
  if (schema instanceof z.ZodUnion)
    return schema.options.map(typed).find((option) => option instanceof z.ZodObject) ?? schema;
  return schema;
}

function typed(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError('not a schema of zod');
}

function isLoose({ def }: z.ZodObject): boolean {
  return def.catchall !== undefined && !(def.catchall instanceof z.ZodNever);
}
