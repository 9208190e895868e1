import { isObjectSchema } from './json.ts';
import type { JsonSchema } from './json.ts';

/** Options as a person writes them: keys of declared objects in snake_case; records keep theirs. */
export function snakeKeys(schema: JsonSchema): JsonSchema {
  if (!isObjectSchema(schema)) return schema;
  const { required: _required, ...rest } = schema;
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([key, inner]) => [snakeCase(key), snakeKeys(inner)]),
  );
  // What is required may come from another layer.
  return { ...rest, properties };
}

/** Takes `max-turns` for `max_turns` too, without an editor offering both. */
export function withKebab(schema: JsonSchema): JsonSchema {
  if (!isObjectSchema(schema)) return schema;
  const entries = Object.entries(schema.properties).map(
    ([key, inner]) => [key, withKebab(inner)] as const,
  );
  const kebab = entries.flatMap(([key, inner]) =>
    key.includes('_') ? [[`^${key.replaceAll('_', '-')}$`, inner] as const] : [],
  );
  return {
    ...schema,
    properties: Object.fromEntries(entries),
    ...(kebab.length === 0 ? {} : { patternProperties: Object.fromEntries(kebab) }),
  };
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
