import { readFileSync } from 'node:fs';
import { z } from '@vf/core';
import { expect, test } from 'vitest';
import { configSchema } from '../src/config/schema.ts';

/** Paths of all keys, `*` for names that users make up. */
function pathsOf(schema: unknown, path: readonly string[] = []): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return pathsOf(schema.unwrap(), path);
  if (schema instanceof z.ZodRecord) return [path.join('.')];
  if (!(schema instanceof z.ZodObject)) return [path.join('.')];
  return Object.entries(schema.shape).flatMap(([key, inner]) => pathsOf(inner, [...path, key]));
}

test('docs/config.md names every key', () => {
  const page = readFileSync(new URL('../../../docs/config.md', import.meta.url), 'utf8');
  const isNamed = (path: string): boolean =>
    page.includes(`\`${path}\``) ||
    page.includes(`\`${path.split('.').at(-1)}\``) ||
    page.includes(`[${path}.NAME]`) ||
    page.includes(`[${path}."MODEL"]`);
  const missing = pathsOf(configSchema).filter((path) => !isNamed(path));
  expect(missing).toEqual([]);
});
