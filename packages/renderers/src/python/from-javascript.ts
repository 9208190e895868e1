import { writtenNumber } from '@vf/core/dialect';
import { JsonNumber } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { floatText, numberText } from './number-text.ts';

/**
 * A parsed JavaScript value as JSON. A number is as it was written where that is known; else one without a fraction is an
 * integer, since 1.0 was lost when it was parsed.
 */
export function fromJavaScript(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') {
    return new JsonNumber(Number.isSafeInteger(value) ? String(value) : floatText(value));
  }
  if (typeof value === 'bigint') return new JsonNumber(String(value));
  if (Array.isArray(value)) return value.map((item, at) => within(value, at, item));
  const entries = new Map<string, JsonValue>();
  if (typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) entries.set(key, within(value, key, item));
    }
  }
  return entries;
}

function within(holder: object, key: string | number, item: unknown): JsonValue {
  const written = typeof item === 'number' ? writtenNumber(holder, key) : undefined;
  return written === undefined ? fromJavaScript(item) : new JsonNumber(numberText(written));
}
