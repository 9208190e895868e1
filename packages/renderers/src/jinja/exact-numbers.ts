import { isList, isObject, JsonNumber } from '../python/json-value.ts';
import type { JsonValue } from '../python/json-value.ts';

/** Private-use characters around a number while the template has it. */
const [open, close] = ['\ue000', '\ue001'] as const;
const marked = new RegExp(`"?${open}([^${close}]*)${close}"?`, 'g');

/** A value for a template, its numbers as marked text: the engine would print 1.0 as 1 and lose digits. */
export function withMarkedNumbers(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return `${open}${value.text}${close}`;
  if (isList(value)) return value.map(withMarkedNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries([...value].map(([key, item]) => [key, withMarkedNumbers(item)]));
}

/** The numbers as Python prints them. */
export function withPlainNumbers(text: string): string {
  return text.replace(marked, '$1');
}
