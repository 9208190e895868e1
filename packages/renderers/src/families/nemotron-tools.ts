import type { ToolSpec } from '@vf/core';
import { jsonText } from '../python/json-text.ts';
import { isList, isObject } from '../python/json-value.ts';
import type { JsonObject, JsonValue } from '../python/json-value.ts';
import { pythonStr } from '../python/repr.ts';
import { strip } from './shared/text.ts';
import { functionOf } from './shared/tool-json.ts';

/** Tool declarations as nested tags. */
export function nemotronTools(tools: readonly ToolSpec[]): string {
  return tools.map((tool) => toolTags(functionOf(tool))).join('');
}

function toolTags(tool: JsonObject): string {
  const parameters = tool.get('parameters');
  const required = isObject(parameters) ? parameters.get('required') : undefined;
  return [
    '\n<function>',
    tag('name', tool.get('name')),
    describe(tool),
    '\n<parameters>',
    ...(isObject(parameters) ? parameterTags(parameters) : []),
    required === undefined ? '' : `\n<required>${jsonText(required)}</required>`,
    '\n</parameters>\n</function>',
  ].join('');
}

function parameterTags(parameters: JsonObject): string[] {
  const properties = parameters.get('properties');
  const tags = isObject(properties)
    ? [...properties].map(([name, field]) => fieldTags(name, field))
    : [];
  return [...tags, otherTags(parameters, ['type', 'properties', 'required'])];
}

function fieldTags(name: string, field: JsonValue): string {
  if (!isObject(field)) return `\n<parameter>\n<name>${name}</name>\n</parameter>`;
  const values = field.get('enum');
  return [
    `\n<parameter>\n<name>${name}</name>`,
    field.has('type') ? tag('type', field.get('type')) : '',
    describe(field),
    values === undefined ? '' : `\n<enum>${jsonText(values)}</enum>`,
    otherTags(field, ['name', 'type', 'description', 'enum']),
    '\n</parameter>',
  ].join('');
}

function describe(object: JsonObject): string {
  const description = object.get('description');
  return typeof description === 'string' ? tag('description', strip(description)) : '';
}

function otherTags(object: JsonObject, known: readonly string[]): string {
  return [...object]
    .filter(([key]) => !known.includes(key))
    .map(([key, value]) =>
      isObject(value) || isList(value) ? `\n<${key}>${jsonText(value)}</${key}>` : tag(key, value),
    )
    .join('');
}

function tag(name: string, value: JsonValue | undefined): string {
  return `\n<${name}>${pythonStr(value ?? null)}</${name}>`;
}
