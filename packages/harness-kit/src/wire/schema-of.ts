import type { ToolSpec } from '@vf/core';

/** The schema of a tool's arguments; providers demand one, even of a tool without arguments. */
export function schemaOf(parameters: ToolSpec['parameters']): Readonly<Record<string, unknown>> {
  return parameters ?? { type: 'object', properties: {} };
}
