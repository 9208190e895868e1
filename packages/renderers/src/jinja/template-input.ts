import type { Message, ToolSpec } from '@vf/core';
import { textOfMessage } from '../content.ts';
import { envelopeOf } from '../families/shared/tool-json.ts';
import { isObject } from '../python/json-value.ts';
import { parseJson } from '../python/parse-json.ts';
import { withMarkedNumbers } from './exact-numbers.ts';

/** A message as chat templates expect it: text flattened, arguments as an object. */
export function templateMessage(message: Message): Record<string, unknown> {
  const base = { role: message.role, content: textOfMessage(message) };
  if (message.role === 'tool') {
    const name = message.name === undefined ? {} : { name: message.name };
    return { ...base, tool_call_id: message.toolCallId, ...name };
  }
  if (message.role !== 'assistant') return base;
  const reasoning = message.reasoning ?? null;
  return {
    ...base,
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(message.toolCalls === undefined || message.toolCalls.length === 0
      ? {}
      : {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: argumentsValue(call.arguments) },
          })),
        }),
  };
}

function argumentsValue(text: string): unknown {
  const value = parseJson(text);
  return isObject(value) ? withMarkedNumbers(value) : text;
}

/** A tool as chat templates expect it. */
export function templateTool(tool: ToolSpec): unknown {
  return withMarkedNumbers(envelopeOf(tool));
}
