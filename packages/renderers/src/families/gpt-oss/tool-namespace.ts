import type { ToolSpec } from '@vf/core';
import { jsonText } from '../../python/json-text.ts';
import { isList, isObject } from '../../python/json-value.ts';
import type { JsonObject, JsonValue } from '../../python/json-value.ts';
import { pythonStr } from '../../python/repr.ts';
import { functionOf } from '../shared/tool-json.ts';
import { isRequired, typeText } from './type-text.ts';

/** Tools as a TypeScript namespace, in the developer message. */
export function toolNamespace(tools: readonly ToolSpec[]): string {
  const types = tools.map((tool) => toolType(functionOf(tool))).join('');
  return `## functions\n\nnamespace functions {\n\n${types}} // namespace functions`;
}

function toolType(tool: JsonObject): string {
  const head = `// ${text(tool.get('description'))}\ntype ${text(tool.get('name'))} = `;
  const parameters = tool.get('parameters');
  const properties = isObject(parameters) ? parameters.get('properties') : undefined;
  if (!isObject(parameters) || !isObject(properties) || properties.size === 0) {
    return `${head}() => any;\n\n`;
  }
  const lines = [...properties].map(([name, schema]) =>
    parameterLine(name, isObject(schema) ? schema : new Map(), isRequired(parameters, name)),
  );
  return `${head}(_: {\n${lines.join('')}}) => any;\n\n`;
}

function parameterLine(name: string, schema: JsonObject, required: boolean): string {
  const description = text(schema.get('description'));
  const comment = description === '' ? '' : `// ${description}\n`;
  return `${comment}${name}${required ? '' : '?'}: ${typeText(schema)}${defaultOf(schema)},\n`;
}

function defaultOf(schema: JsonObject): string {
  const value = schema.get('default');
  if (value === undefined) return '';
  if (isFilled(schema.get('enum'))) return `, // default: ${pythonStr(value)}`;
  if (isFilled(schema.get('oneOf'))) return `// default: ${pythonStr(value)}`;
  return `, // default: ${jsonText(value)}`;
}

function isFilled(value: JsonValue | undefined): boolean {
  return isList(value) && value.length > 0;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
