import type { ToolSpec } from '@vf/core';
import { record, text } from './content.ts';
import type { Json } from './content.ts';

/** A function tool, its JSON Schema under `schemaKey`. */
export function functionTool(tool: Json, schemaKey: string, namespace?: string): ToolSpec {
  return {
    name: text(tool['name']),
    description: text(tool['description']),
    parameters: record(tool[schemaKey]),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
