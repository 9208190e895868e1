import type { ToolSpec } from '../../call.ts';
import { anything, boolean, object, string } from './fields.ts';
import type { Fields } from './fields.ts';
import { compact } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

/** `native` is a key that the verifiers model keeps as it is. */
export function writeTool(tool: ToolSpec): JsonObject {
  return compact({
    type: tool.kind,
    name: tool.name,
    namespace: tool.namespace,
    description: tool.description,
    parameters: tool.parameters,
    strict: tool.strict,
    native: tool.native,
  });
}

export function readTool(fields: Fields): ToolSpec {
  const kind = fields.optional('type', string);
  const namespace = fields.optional('namespace', string);
  const description = fields.optional('description', string);
  const parameters = fields.optional('parameters', object);
  const strict = fields.optional('strict', boolean);
  const native = fields.optional('native', anything);
  return {
    name: fields.required('name', string),
    ...(kind === undefined ? {} : { kind }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(strict === undefined ? {} : { strict }),
    ...(native === undefined ? {} : { native }),
  };
}

/** All tools of a trace by (namespace, name, kind), each where it was first seen, as last declared. */
export function allTools(lists: Iterable<readonly ToolSpec[]>): readonly ToolSpec[] {
  const tools = new Map<string, ToolSpec>();
  for (const list of lists) {
    for (const tool of list) {
      const identity = [tool.namespace ?? '', tool.name, tool.kind ?? 'function'];
      tools.set(JSON.stringify(identity), tool);
    }
  }
  return [...tools.values()];
}
