import type { ToolSpec } from '@vf/core';
import { isObject, listOf, objectOf, omit, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Tools of a request, the deprecated `functions` included. */
export function tools(top: JsonObject): readonly ToolSpec[] {
  const declared = listOf(top['tools']).filter(isObject).map(readTool);
  const legacy = listOf(top['functions']).filter(isObject).map(readFunction);
  return [...declared, ...legacy];
}

function readTool(tool: JsonObject): ToolSpec {
  if (tool['type'] === 'function' || isObject(tool['function']))
    return readFunction(objectOf(tool['function']));
  const kind = stringOf(tool['type']) ?? 'unknown';
  const declared = objectOf(tool[kind]);
  return present<ToolSpec>({
    name: stringOf(declared['name']) ?? stringOf(tool['name']) ?? kind,
    description: stringOf(declared['description']),
    kind,
    native: omit(tool, ['cache_control']),
  });
}

function readFunction(declared: JsonObject): ToolSpec {
  return present<ToolSpec>({
    name: stringOf(declared['name']) ?? '',
    description: stringOf(declared['description']),
    parameters: isObject(declared['parameters']) ? declared['parameters'] : null,
    strict: typeof declared['strict'] === 'boolean' ? declared['strict'] : null,
  });
}

/** The inverse of `tools`; `null` for a tool that only another dialect knows. */
export function writeTool(tool: ToolSpec): unknown {
  const kind = tool.kind ?? 'function';
  if (kind !== 'function') {
    if (isObject(tool.native)) return tool.native;
    if (kind !== 'custom') return null;
    return { type: 'custom', custom: present({ name: tool.name, description: tool.description }) };
  }
  const { name, description, parameters, strict } = tool;
  return { type: 'function', function: present({ name, description, parameters, strict }) };
}
