import type { ToolSpec } from '@vf/core';
import { fromJavaScript } from '../../python/from-javascript.ts';
import type { JsonObject, JsonValue } from '../../python/json-value.ts';

/** A tool as Chat Completions declares it, without the envelope. */
export function functionOf(tool: ToolSpec): JsonObject {
  const entries = new Map<string, JsonValue>([['name', tool.name]]);
  if (tool.description !== undefined) entries.set('description', tool.description);
  if (tool.parameters !== undefined) entries.set('parameters', fromJavaScript(tool.parameters));
  return entries;
}

/** `{"type": "function", "function": {…}}`, which templates are given. */
export function envelopeOf(tool: ToolSpec): JsonObject {
  return new Map<string, JsonValue>([
    ['type', 'function'],
    ['function', functionOf(tool)],
  ]);
}
