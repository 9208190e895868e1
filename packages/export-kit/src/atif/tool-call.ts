import type { ToolCall, ToolSpec } from '@vf/core';
import type { AtifToolCall } from './document.ts';

/** Arguments are an object there: free text, or JSON that does not parse, stands under `input` as it was sampled. */
export function atifToolCall({ id, name, arguments: given, kind }: ToolCall): AtifToolCall {
  const parsed = kind === 'custom' ? null : objectIn(given);
  return {
    tool_call_id: id,
    function_name: name,
    arguments: parsed ?? { input: given },
    ...(parsed === null ? { extra: { arguments_as_text: true } } : {}),
  };
}

function objectIn(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** A tool as OpenAI's function schema has it. */
export function toolDefinition({ name, description, parameters }: ToolSpec): object {
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
    },
  };
}
