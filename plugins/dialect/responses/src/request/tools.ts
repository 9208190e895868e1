import type { ToolSpec } from '@vf/core';
import { isObject, listOf, objectOf, omit, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Tools of a request: functions, those of namespaces one by one, and the provider's own. */
export function toolsOf(top: JsonObject): readonly ToolSpec[] {
  return listOf(top['tools'])
    .filter(isObject)
    .flatMap((tool) =>
      tool['type'] === 'namespace'
        ? listOf(tool['tools'])
            .filter(isObject)
            .map((inner) => namespaced(inner, tool))
        : toolOf(tool),
    );
}

const said = ['type', 'name', 'description', 'parameters', 'strict'];

function toolOf(tool: JsonObject): ToolSpec {
  const type = stringOf(tool['type']) ?? 'function';
  const description = stringOf(tool['description']);
  const { parameters, strict } = tool;
  const isFunction = type === 'function';
  const hasMore = Object.entries(omit(tool, said)).some(([, value]) => value !== null);
  return {
    name: stringOf(tool['name']) ?? type,
    ...(description === null ? {} : { description }),
    ...(isObject(parameters) ? { parameters } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...(isFunction ? {} : { kind: type }),
    ...(isFunction && !hasMore ? {} : { native: tool }),
  };
}

/** The namespace's own words stand in `native`, around this one tool. */
function namespaced(inner: JsonObject, namespace: JsonObject): ToolSpec {
  const spec = toolOf(inner);
  const name = stringOf(namespace['name']) ?? '';
  const isPlain =
    spec.native === undefined &&
    Object.keys(omit(namespace, ['type', 'name', 'tools'])).length === 0;
  return {
    ...spec,
    namespace: name,
    ...(isPlain ? {} : { native: { ...namespace, tools: [inner] } }),
  };
}

/** The `tools` of a request; neighbours of one namespace stand together in it. */
export function writeTools(tools: readonly ToolSpec[]): readonly JsonObject[] {
  const written: JsonObject[] = [];
  for (const tool of tools) {
    if (tool.namespace === undefined) {
      written.push(writeTool(tool));
      continue;
    }
    const wrapper = objectOf(tool.native);
    const inner = isWrapper(wrapper) ? listOf(wrapper['tools']) : [writeTool(tool)];
    const last = written.at(-1);
    if (last?.['type'] === 'namespace' && last['name'] === tool.namespace) {
      written[written.length - 1] = { ...last, tools: [...listOf(last['tools']), ...inner] };
    } else {
      const shell = isWrapper(wrapper) ? wrapper : { type: 'namespace', name: tool.namespace };
      written.push({ ...shell, tools: inner });
    }
  }
  return written;
}

function isWrapper(native: JsonObject): boolean {
  return native['type'] === 'namespace';
}

function writeTool(tool: ToolSpec): JsonObject {
  if (isObject(tool.native) && typeof tool.native['type'] === 'string') return tool.native;
  const kind = tool.kind ?? 'function';
  return {
    type: kind,
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.parameters === undefined ? {} : { parameters: tool.parameters }),
    ...(tool.strict === undefined ? {} : { strict: tool.strict }),
  };
}
