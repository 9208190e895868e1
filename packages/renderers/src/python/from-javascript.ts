import { JsonNumber } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { floatText } from './number-text.ts';

/** A parsed JavaScript value as JSON. A number without a fraction is an integer: 1.0 was lost when it was parsed. */
export function fromJavaScript(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') {
    return new JsonNumber(Number.isSafeInteger(value) ? String(value) : floatText(value));
  }
  if (typeof value === 'bigint') return new JsonNumber(String(value));
  if (Array.isArray(value)) return value.map(fromJavaScript);
  const entries = new Map<string, JsonValue>();
  if (typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) entries.set(key, fromJavaScript(item));
    }
  }
  return entries;
}
