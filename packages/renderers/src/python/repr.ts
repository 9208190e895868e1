import { isList, isObject } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { pythonText } from './json-text.ts';

/** `str(value)`, lists and objects by Python's `repr`. */
export function pythonStr(value: JsonValue): string {
  return typeof value === 'string' ? value : repr(value);
}

function repr(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value);
  if (isList(value)) return `[${value.map(repr).join(', ')}]`;
  if (isObject(value)) {
    return `{${[...value].map(([key, item]) => `${quoted(key)}: ${repr(item)}`).join(', ')}}`;
  }
  return pythonText(value);
}

function quoted(text: string): string {
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t');
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + (quote === "'" ? escaped.replace(/'/g, "\\'") : escaped) + quote;
}
