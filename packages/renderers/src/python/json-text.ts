import { isList, isObject, JsonNumber } from './json-value.ts';
import type { JsonValue } from './json-value.ts';

/** `json.dumps(value, ensure_ascii=False)`, which is what templates' `tojson` prints. */
export function jsonText(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof JsonNumber) return value.text;
  if (isList(value)) return `[${value.map((item) => jsonText(item)).join(', ')}]`;
  const entries: string[] = [];
  for (const [key, item] of value) {
    entries.push(JSON.stringify(key) + ': ' + jsonText(item));
  }
  return `{${entries.join(', ')}}`;
}

/** `json.dumps(value, ensure_ascii=False, indent=4)`. */
export function indentedJsonText(value: JsonValue, indent = '    ', outer = ''): string {
  const inner = outer + indent;
  if (isList(value) && value.length > 0) {
    const items = value.map((item) => inner + indentedJsonText(item, indent, inner));
    return `[\n${items.join(',\n')}\n${outer}]`;
  }
  if (isObject(value) && value.size > 0) {
    const entries = [...value].map(
      ([key, item]) => `${inner}${JSON.stringify(key)}: ${indentedJsonText(item, indent, inner)}`,
    );
    return `{\n${entries.join(',\n')}\n${outer}}`;
  }
  return jsonText(value);
}

/** `str(value)` of what `json.loads` gave; lists and objects as JSON, as templates print them. */
export function pythonText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return jsonText(value);
}

/** `json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(',', ':'))`. */
export function sortedJsonText(value: JsonValue): string {
  if (isList(value)) return `[${value.map(sortedJsonText).join(',')}]`;
  if (!isObject(value)) return jsonText(value);
  const entries = [...value].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${sortedJsonText(item)}`).join(',')}}`;
}
