import type { ToolSpec } from '@vf/core';
import { isObject, listOf, objectOf, omit, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

const said = ['name', 'description', 'input_schema', 'strict', 'type', 'cache_control'];

export function tools(top: JsonObject): readonly ToolSpec[] {
  return listOf(top['tools']).filter(isObject).map(readTool);
}

/** A tool of the agent has an `input_schema`; the provider's own ones, run by it or by the client, have a type. */
function readTool(tool: JsonObject): ToolSpec {
  const type = stringOf(tool['type']);
  const isCustom = type === null || type === 'custom';
  const isSaid = isCustom && Object.keys(omit(tool, said)).length === 0;
  return present<ToolSpec>({
    name: stringOf(tool['name']) ?? type ?? '',
    description: stringOf(tool['description']),
    parameters: isObject(tool['input_schema']) ? tool['input_schema'] : null,
    kind: isCustom ? null : type,
    strict: typeof tool['strict'] === 'boolean' ? tool['strict'] : null,
    native: isSaid ? null : omit(tool, ['cache_control']),
  });
}

const freeText = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

/** The inverse of `tools`; `null` for a tool that only another dialect knows. */
export function writeTool(tool: ToolSpec): unknown {
  const { name, description, strict } = tool;
  const native = objectOf(tool.native);
  if (stringOf(native['name']) !== null && native['function'] === undefined) return native;
  if (tool.kind === 'custom') return present({ name, description, input_schema: freeText });
  if (tool.kind !== undefined && tool.kind !== 'function') return null;
  return present({
    name,
    description,
    input_schema: tool.parameters ?? { type: 'object' },
    strict,
  });
}
