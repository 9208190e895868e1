import type { ToolSpec } from '@vf/core';
import { parseJson } from '../python/parse-json.ts';
import type { JsonValue } from '../python/json-value.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Words that templates print by Python's `str`. */
const pythonWords = new Map<string, JsonValue>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

/**
 * The value behind the text of a parameter: text where the tool's schema asks for a string and nothing else, otherwise
 * JSON if it is some, else text.
 */
export function typedValue(
  text: string,
  tools: readonly ToolSpec[],
  tool: string,
  parameter: string,
): JsonValue {
  const schema = schemaOf(tools, tool, parameter);
  if (schema !== undefined && isStringOnly(schema)) return text;
  return pythonWords.get(text) ?? parsed(text);
}

function parsed(text: string): JsonValue {
  if (text === 'None') return null;
  const value = parseJson(text);
  return value === undefined ? text : value;
}

function schemaOf(tools: readonly ToolSpec[], tool: string, parameter: string): Schema | undefined {
  const properties = tools.find(({ name }) => name === tool)?.parameters?.['properties'];
  const schema = isRecord(properties) ? properties[parameter] : undefined;
  return isRecord(schema) ? schema : undefined;
}

function isStringOnly({ type, enum: values }: Schema): boolean {
  if (type === 'string') return true;
  if (Array.isArray(type)) return type.length === 1 && type[0] === 'string';
  return (
    type === undefined &&
    Array.isArray(values) &&
    values.every((value) => typeof value === 'string')
  );
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
